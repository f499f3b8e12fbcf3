//! The copy: contacts, and the place from which the next step continues.

use std::path::Path;

use rusqlite::{Connection, Transaction, params};

use crate::contact::Contact;

/// Erased contacts are overwritten. `export` is the number of the last export that contained a contact.
const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS contacts (
        id TEXT PRIMARY KEY, email TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL, avatar_url TEXT,
        created_at TEXT NOT NULL, updated_at TEXT NOT NULL, field_values TEXT NOT NULL, export INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS contacts_email ON contacts (email);
    CREATE INDEX IF NOT EXISTS contacts_export ON contacts (export);
    CREATE TABLE IF NOT EXISTS place (
        id INTEGER PRIMARY KEY CHECK (id = 1), phase TEXT NOT NULL, cursor TEXT, exported TEXT NOT NULL,
        export INTEGER NOT NULL
    );
    INSERT OR IGNORE INTO place VALUES (1, 'begin', NULL, '', 1);";

/// How many contacts that an export did not contain are deleted at once.
const SWEPT: i64 = 10_000;

/// The place from which the next step continues.
pub(crate) enum Place {
    /// A cursor is needed, before contacts are exported.
    Begin,
    /// Contacts are exported from this cursor.
    Export(String),
    /// The feed is followed from this cursor.
    Follow(String),
}

/// The database.
pub(crate) struct Copy {
    connection: Connection,
}

impl Copy {
    /// Opens it, and creates it if it does not exist.
    pub(crate) fn open(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(SCHEMA)?;
        Ok(Self { connection })
    }

    /// The place from which to continue.
    pub(crate) fn place(&self) -> rusqlite::Result<Place> {
        let select = "SELECT phase, cursor, exported FROM place";
        self.connection.query_row(select, [], |row| {
            Ok(match row.get::<_, String>(0)?.as_str() {
                "follow" => Place::Follow(row.get(1)?),
                "export" => Place::Export(row.get(2)?),
                _ => Place::Begin,
            })
        })
    }

    /// Begins to export; after it the feed is followed from this cursor.
    pub(crate) fn begin_export(&self, cursor: &str) -> rusqlite::Result<()> {
        let update = "UPDATE place SET phase = 'export', cursor = ?, exported = ''";
        self.connection.execute(update, [cursor]).map(|_one| ())
    }

    /// Stores contacts of an export, and where it continues.
    pub(crate) fn exported(&mut self, contacts: &[Contact]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        store(&transaction, contacts)?;
        if let Some(last) = contacts.last() {
            transaction.execute("UPDATE place SET exported = ?", [&last.cursor])?;
        }
        transaction.commit()
    }

    /// Deletes the contacts that the export did not contain, and continues with following the feed.
    pub(crate) fn end_export(&self) -> rusqlite::Result<()> {
        let delete = "DELETE FROM contacts WHERE id IN \
                      (SELECT id FROM contacts WHERE export < (SELECT export FROM place) LIMIT ?)";
        while self.connection.execute(delete, [SWEPT])? > 0 {}
        self.connection.execute("UPDATE place SET phase = 'follow'", []).map(|_one| ())
    }

    /// Applies changes: stores and deletes contacts, and the cursor after them.
    pub(crate) fn apply(
        &mut self,
        contacts: &[Contact],
        deleted: &[String],
        cursor: &str,
    ) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        store(&transaction, contacts)?;
        for id in deleted {
            transaction.execute("DELETE FROM contacts WHERE id = ?", [id])?;
        }
        transaction.execute("UPDATE place SET cursor = ?", [cursor])?;
        transaction.commit()
    }

    /// Begins with a new export; its end deletes the contacts that it did not contain.
    pub(crate) fn begin_again(&self) -> rusqlite::Result<()> {
        let update = "UPDATE place SET phase = 'begin', cursor = NULL, export = export + 1";
        self.connection.execute(update, []).map(|_one| ())
    }
}

fn store(transaction: &Transaction<'_>, contacts: &[Contact]) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare(
        "INSERT OR REPLACE INTO contacts SELECT ?, ?, ?, ?, ?, ?, ?, ?, export FROM place",
    )?;
    for contact in contacts {
        insert.execute(params![
            contact.id,
            contact.email,
            contact.first_name,
            contact.last_name,
            contact.avatar_url,
            contact.created_at,
            contact.updated_at,
            contact.field_values,
        ])?;
    }
    Ok(())
}
