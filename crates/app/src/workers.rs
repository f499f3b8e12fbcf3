//! How many threads answer requests.

use std::num::NonZero;
use std::thread::available_parallelism;

use crate::settings::{DatabaseSettings, ServeSettings};

/// The number that is set, or else one thread for each processor. A PostgreSQL on the same machine needs about as much
/// processor time as these threads, so then there is one for two processors: more threads would only take turns with it.
pub(crate) fn workers(settings: &ServeSettings, database: &DatabaseSettings) -> usize {
    let processors = available_parallelism().map_or(1, NonZero::get);
    settings.workers.map_or_else(|| default_for(processors, database), usize::from)
}

fn default_for(processors: usize, database: &DatabaseSettings) -> usize {
    // A pooler on this machine may lead to a database on another one.
    if database.database_url.is_local_postgres() && !database.database_pooled {
        processors.div_ceil(2)
    } else {
        processors
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        database: DatabaseSettings,
    }

    #[test]
    fn half_of_the_processors_are_left_to_a_postgres_on_the_same_machine() {
        let threads = |processors, given: &[&str]| {
            let given = [&["hub", "--database-url"], given].concat();
            default_for(processors, &Arguments::parse_from(given).database)
        };
        let local = "postgres://hub@localhost/hub";
        assert_eq!([1, 2, 3, 8].map(|it| threads(it, &[local])), [1, 1, 2, 4]);
        assert_eq!(threads(8, &[local, "--database-pooled"]), 8);
        assert_eq!(threads(8, &["postgres://hub@db.example/hub"]), 8);
        assert_eq!(threads(8, &["sqlite://contact-hub.db"]), 8);
    }
}
