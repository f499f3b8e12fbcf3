DELETE FROM text_counts WHERE text LIKE 'email:%' OR text LIKE 'first_name:%' OR text LIKE 'last_name:%';
