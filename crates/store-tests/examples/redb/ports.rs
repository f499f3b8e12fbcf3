//! The ports with a store of rows, and a caller.

use std::sync::Arc;

use contact_hub_domain::access::{Caller, CallerCompany, Permissions};
use contact_hub_domain::context::{ContactPorts, Environment};
use contact_hub_domain::ids::{CompanyId, DirectoryId, UserId};
use contact_hub_domain::limits::Limits;
use contact_hub_domain::ports::{Clock, Ids, Randomness};
use contact_hub_domain::row_store::{RowAdapter, RowStore};
use contact_hub_domain::time::Timestamp;
use uuid::Uuid;

/// The time, ids and randomness of this machine.
struct Machine;

impl Clock for Machine {
    #[expect(clippy::disallowed_methods, reason = "this adapter reads the time")]
    fn now(&self) -> Timestamp {
        Timestamp::from_clock(time::OffsetDateTime::now_utc())
    }
}

impl Ids for Machine {
    #[expect(clippy::disallowed_methods, reason = "this adapter creates ids")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}

impl Randomness for Machine {
    #[expect(clippy::expect_used, reason = "a guessable secret would be worse than a panic")]
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
        bytes
    }
}

/// The ports of contacts and fields.
pub(crate) fn ports(store: impl RowStore + 'static) -> ContactPorts {
    let (machine, store) = (Arc::new(Machine), Arc::new(RowAdapter(store)));
    ContactPorts {
        environment: Environment {
            clock: machine.clone(),
            ids: machine.clone(),
            randomness: machine,
            limits: Limits::default(),
        },
        contacts: store.clone(),
        fields: store,
        blocked_emails: None,
    }
}

/// A user of this company, whom the program has authenticated itself.
pub(crate) fn caller(company: u128) -> Caller {
    Caller {
        user_id: UserId::new(Uuid::from_u128(1)),
        company: CallerCompany {
            id: CompanyId::new(Uuid::from_u128(company)),
            directory_id: DirectoryId::new(Uuid::from_u128(company)),
            product_access: true,
            allowed_domains: Arc::default(),
            has_blocked_emails: false,
        },
        permissions: Permissions::all(),
    }
}
