//! The contacts of a page: with their number if it is found soon.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::select;
use tokio::time::timeout;

use contact_hub_domain::contacts::{self, Contact, ContactsError, ListQuery, OfMany};
use contact_hub_domain::context::{ContactPorts, Context};
use contact_hub_domain::page::Page;

/// How long only the page with the number of all contacts is waited for.
const COUNTED_WITHIN: Duration = Duration::from_millis(500);

/// Of how many contacts a page is shown without their number, if that is found sooner.
const MANY: u64 = 10_000;

/// A page of a list, with the number of contacts or without it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Listed<C, M> {
    Counted(C),
    OfMany(M),
}

/// The page with the number of contacts. If that takes long, and there are more than ten thousand, the page without it, if that
/// is found sooner: several conditions may match millions, which take seconds to count.
pub(super) async fn list(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Listed<Page<Contact>, OfMany>, ContactsError> {
    let counted = contacts::list(cx, query.clone());
    sooner(counted, contacts::list_of_many(cx, query, MANY)).await
}

/// The counted page, or the other one, which is not begun before the counted one has taken long.
async fn sooner<C, M>(
    counted: impl Future<Output = Result<C, ContactsError>>,
    of_many: impl Future<Output = Result<Option<M>, ContactsError>>,
) -> Result<Listed<C, M>, ContactsError> {
    let mut counted = pin!(counted);
    if let Ok(page) = timeout(COUNTED_WITHIN, &mut counted).await {
        return page.map(Listed::Counted);
    }
    select! {
        page = &mut counted => page.map(Listed::Counted),
        of_many = of_many => match of_many {
            Ok(Some(page)) => Ok(Listed::OfMany(page)),
            Ok(None) | Err(_) => counted.await.map(Listed::Counted),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::{Instant, sleep};

    use super::*;

    type Found<T> = Result<T, ContactsError>;

    /// The two pages are numbers here.
    const COUNTED: u8 = 1;
    const OF_MANY: u8 = 2;

    async fn after<T>(milliseconds: u64, found: Found<T>) -> Found<T> {
        sleep(Duration::from_millis(milliseconds)).await;
        found
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_counted_soon_is_the_only_one() {
        let not_begun = async { panic!("it is not begun") };
        let listed: Listed<u8, u8> =
            sooner(after(499, Ok(COUNTED)), not_begun).await.expect("a page");
        assert_eq!(listed, Listed::Counted(COUNTED));
    }

    #[tokio::test(start_paused = true)]
    async fn of_two_pages_that_take_long_the_first_one_is_shown() {
        let began = Instant::now();
        let of_many = after(100, Ok(Some(OF_MANY)));
        let listed = sooner(after(700, Ok(COUNTED)), of_many).await.expect("a page");
        assert_eq!((listed, began.elapsed().as_millis()), (Listed::OfMany(OF_MANY), 600));
        let of_many = pending::<Found<Option<u8>>>();
        let listed = sooner(after(700, Ok(COUNTED)), of_many).await.expect("a page");
        assert_eq!((listed, began.elapsed().as_millis()), (Listed::Counted(COUNTED), 1300));
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_that_is_short_or_cannot_be_read_without_its_number_is_counted() {
        for of_many in [Ok(None), Err(ContactsError::NotFound)] {
            let of_many = ready::<Found<Option<u8>>>(of_many);
            let listed = sooner(after(900, Ok(COUNTED)), of_many).await.expect("a page");
            assert_eq!(listed, Listed::Counted(COUNTED));
        }
        let of_many = ready::<Found<Option<u8>>>(Ok(None));
        let failed = sooner(after(900, Err::<u8, _>(ContactsError::NotFound)), of_many).await;
        assert!(matches!(failed, Err(ContactsError::NotFound)));
    }
}
