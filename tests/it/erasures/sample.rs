//! What the tests of erasures share.

use contact_hub_tests::{Answer, Client, TestDatabase};
use serde_json::Value;

/// Erases a contact.
pub(super) async fn erase(client: &Client, id: &str, body: &Value) -> Answer {
    client.manage().post(&format!("/contacts/{id}/erase"), body).await
}

/// Whether the database contains a text anywhere, in any letter case. On SQLite the bytes of its files are searched.
pub(super) fn contains(database: &TestDatabase, text: &str) -> bool {
    let text = text.to_lowercase();
    if !database.is_postgres() {
        let path = database.directory().join("hub.db");
        let files = [path.clone(), path.with_extension("db-wal")];
        let bytes = files.map(|file| std::fs::read(file).unwrap_or_default().to_ascii_lowercase());
        return bytes.iter().any(|it| it.windows(text.len()).any(|part| part == text.as_bytes()));
    }
    let hex: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    let search = format!(
        "DO $$ DECLARE name text; found bigint; BEGIN \
         FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP \
         EXECUTE format('SELECT count(*) FROM %I AS row WHERE row::text ILIKE ANY ($1)', name) INTO found \
         USING ARRAY['%{text}%', '%{hex}%']; \
         IF found > 0 THEN RAISE EXCEPTION 'found in %', name; END IF; END LOOP; END $$"
    );
    std::panic::catch_unwind(|| database.execute(&search)).is_err()
}
