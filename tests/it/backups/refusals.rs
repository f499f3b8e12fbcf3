//! Cases in which a backup or a restore is refused.

use contact_hub_tests::{Binary, TestDatabase};

use super::{database_file, file, filled, names_with};
use crate::process::{Service, expect_refused, key_file};

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_overwrites_nothing_unless_it_is_forced() {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    let (binary, backup) = (Binary::on(&database), file(&database, "a.backup"));
    std::fs::write(&backup, "something else").unwrap();
    expect_refused(&binary.run(&["backup", &backup]), &["exists", "--force"]);
    assert_eq!(std::fs::read_to_string(&backup).unwrap(), "something else");
    let made = binary.json(&["backup", &backup, "--force"]);
    assert_eq!(made["rows"]["contacts"], 3);
    expect_refused(&binary.run(&["backup", "/nowhere/a.backup"]), &["/nowhere"]);
    let link = file(&database, "link");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    expect_refused(&binary.run(&["backup", &link, "--force"]), &["not a regular file"]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let keys = file(&database, "named.key");
    std::fs::write(&keys, "the keys").unwrap();
    let mut over_keys = binary.command(&["backup", &keys, "--force"]);
    let refused = over_keys.env("CONTACT_HUB_SECRET_KEY_FILE", &keys).output().unwrap();
    expect_refused(&refused, &["named.key has the master keys"]);
    assert_eq!(std::fs::read_to_string(&keys).unwrap(), "the keys");
    if !database.is_postgres() {
        let itself = database_file(&database).display().to_string();
        expect_refused(&binary.run(&["backup", &itself, "--force"]), &["the database itself"]);
        let key = key_file(&database);
        let before = std::fs::read_to_string(&key).unwrap();
        expect_refused(&binary.run(&["backup", &key, "--force"]), &["the database itself"]);
        assert_eq!(std::fs::read_to_string(&key).unwrap(), before);
    }
    assert!(names_with(&database, "partial").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_restored_over_a_database_or_while_a_service_runs() {
    let database = TestDatabase::empty();
    let key = filled(&database).await;
    let (binary, backup) = (Binary::on(&database), file(&database, "a.backup"));
    let _made = binary.json(&["backup", &backup]);
    expect_refused(&binary.run(&["restore", &backup]), &["not empty"]);
    if database.is_postgres() {
        return;
    }
    let mut service = Service::serve(&database, &[]);
    // A service opens the database after it has begun to listen. Its first answer shows that it has.
    let _listed = service.call("GET", "/contacts", &key, None).await.expect(200);
    expect_refused(&binary.run(&["restore", &backup]), &["in use", "stop the service"]);
    std::fs::rename(database_file(&database), file(&database, "moved.db")).unwrap();
    expect_refused(&binary.run(&["restore", &backup]), &["hub.db-", "stop the service"]);
    service.signal("KILL");
    let _ended = service.wait();
}

/// A database with contacts, and the file of its backup.
async fn backed_up() -> (TestDatabase, String) {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    let backup = file(&database, "a.backup");
    let _made = Binary::on(&database).json(&["backup", &backup]);
    (database, backup)
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_malformed_key_file_nothing_is_restored() {
    let (_database, backup) = backed_up().await;
    let elsewhere = TestDatabase::empty();
    let binary = Binary::on(&elsewhere);
    let malformed = file(&elsewhere, "malformed.key");
    std::fs::write(&malformed, "no key").unwrap();
    let restore = ["restore", &backup, "--secret-key-file", &malformed];
    expect_refused(&binary.run(&restore), &["malformed.key"]);
    let restored = binary.json(&["restore", &backup]);
    assert_eq!(restored["rows"]["contacts"], 3, "the database was still empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_or_foreign_file_is_not_restored() {
    let (database, backup) = backed_up().await;
    let elsewhere = TestDatabase::empty();
    let binary = Binary::on(&elsewhere);
    let refused = |bytes: &[u8], words: &[&str]| {
        std::fs::write(file(&elsewhere, "b.backup"), bytes).unwrap();
        expect_refused(&binary.run(&["restore", &file(&elsewhere, "b.backup")]), words);
        assert!(names_with(&elsewhere, "partial").is_empty());
        assert!(elsewhere.is_postgres() || !database_file(&elsewhere).exists());
    };
    let bytes = std::fs::read(&backup).unwrap();
    refused(b"a letter", &["not a backup"]);
    refused(&bytes[..bytes.len() / 2], &["not restored"]);
    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle..middle + 4096].fill(0xA5);
    refused(&changed, &["not restored"]);
    let other: &[u8] =
        if database.is_postgres() { b"SQLite format 3\0" } else { b"PGDMP and more of that" };
    refused(other, &["--database-url"]);
    expect_refused(&binary.run(&["restore", &file(&elsewhere, "none")]), &["cannot be read"]);
    let restored = binary.json(&["restore", &backup]);
    assert_eq!(restored["rows"]["contacts"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_schema_is_not_restored_and_an_older_one_is() {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    let newer = file(&database, "newer.backup");
    database.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('29990101000000')");
    let _made = Binary::on(&database).json(&["backup", &newer]);
    let elsewhere = TestDatabase::empty();
    let binary = Binary::on(&elsewhere);
    expect_refused(&binary.run(&["restore", &newer]), &["29990101000000", "newer"]);

    database.execute("INSERT INTO compatible_migrations (version) VALUES ('29990101000000')");
    let compatible = file(&database, "compatible.backup");
    let _made = Binary::on(&database).json(&["backup", &compatible]);
    let restored = binary.json(&["restore", &compatible]);
    assert_eq!(restored["schema"], "29990101000000");
    assert_eq!(restored["pending_migrations"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_says_which_master_key_the_secrets_need() {
    let database = TestDatabase::empty();
    let _key = filled(&database).await;
    let backup = file(&database, "a.backup");
    let made = Binary::on(&database).json(&["backup", &backup]);
    let key = made["master_keys"][0].as_str().unwrap();
    let text = std::fs::read_to_string(key_file(&database)).unwrap();
    assert!(!made.to_string().contains(text.trim()), "the key itself is in no report");
    let elsewhere = TestDatabase::empty();
    let other = file(&elsewhere, "other.key");
    std::fs::write(&other, "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=").unwrap();
    let restored = Binary::on(&elsewhere).json(&["restore", &backup, "--secret-key-file", &other]);
    assert_eq!(
        (&restored["master_keys"][0], &restored["master_keys_fit"]),
        (&key.into(), &false.into())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_programs_of_postgresql_the_error_names_them() {
    let database = TestDatabase::empty();
    if !database.is_postgres() {
        return;
    }
    let _key = filled(&database).await;
    let backup = file(&database, "a.backup");
    let mut command = Binary::on(&database).command(&["backup", &backup]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    expect_refused(&output, &["pg_dump", "postgresql-client"]);
    assert!(names_with(&database, "a.backup").is_empty());
}
