//! Reads the address of a database from the command line or a variable.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use contact_hub_storage::DatabaseUrl;

/// Its errors do not repeat the address, as those of clap's own parsers would: it may contain a password.
#[derive(Clone)]
pub(crate) struct DatabaseAddress;

impl TypedValueParser for DatabaseAddress {
    type Value = DatabaseUrl;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<DatabaseUrl, Error> {
        value.to_str().unwrap_or_default().parse().map_err(|error| {
            let name = argument.map(ToString::to_string).unwrap_or_default();
            command.clone().error(ErrorKind::ValueValidation, format!("{name}: {error}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::replica_settings::ReplicaSettings;
    use crate::settings::DatabaseSettings;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        _database: DatabaseSettings,
        #[command(flatten)]
        _replicas: ReplicaSettings,
    }

    #[test]
    fn an_error_names_the_argument_and_not_its_password() {
        for name in ["--database-url", "--database-read-url"] {
            let given = ["hub", name, "postgress://hub:secret@db/hub"];
            let error = Arguments::try_parse_from(given).err().expect("an error").to_string();
            assert!(error.contains(name) && error.contains("postgres://"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
