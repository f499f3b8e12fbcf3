DROP TABLE key_days;
