DROP TABLE delivery_outcomes;
