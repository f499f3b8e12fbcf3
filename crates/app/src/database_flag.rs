//! The flag with which a suggested command finds the database of this process.

use contact_hub_storage::DatabaseUrl;

use crate::postgres_address::Address;
use crate::settings::DEFAULT_DATABASE;

/// `--database-url …` with a space before it, without a password; empty for the default database.
pub(crate) fn database_flag(url: &DatabaseUrl) -> String {
    let text = match url {
        DatabaseUrl::Sqlite(file) => format!("sqlite://{file}"),
        DatabaseUrl::Postgres(address) => Address::of(address).url,
    };
    if text == DEFAULT_DATABASE {
        String::new()
    } else {
        format!(" --database-url {}", word(&text))
    }
}

/// Whether the flag lacks the password of the database.
pub(crate) fn lacks_password(url: &DatabaseUrl) -> bool {
    matches!(url, DatabaseUrl::Postgres(address) if Address::of(address).password.is_some())
}

/// A text as one word of a shell.
fn word(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/:.@_-+=,".contains(char);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::{database_flag, lacks_password};

    #[test]
    fn the_flag_is_a_word_of_a_shell_without_a_password() {
        for (url, flag, lacks) in [
            ("sqlite://contact-hub.db", "", false),
            ("sqlite:///srv/hub.db", " --database-url sqlite:///srv/hub.db", false),
            ("sqlite:///srv/it's.db", r" --database-url 'sqlite:///srv/it'\''s.db'", false),
            ("postgres://hub@db/hub", " --database-url postgres://hub@db/hub", false),
            (
                "postgres://hub:secret@db/hub?sslmode=require",
                " --database-url 'postgres://hub@db/hub?sslmode=require'",
                true,
            ),
        ] {
            let url = url.parse().expect("an address");
            assert_eq!((database_flag(&url).as_str(), lacks_password(&url)), (flag, lacks));
        }
    }
}
