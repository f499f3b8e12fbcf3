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

/// A page of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Listed {
    Counted(Page<Contact>),
    OfMany(OfMany),
}

/// The page with the number of contacts. If that takes long, and there are more than ten thousand, the page without it, if that
/// is found sooner: several conditions may match millions, which take seconds to count.
pub(super) async fn list(
    cx: &Context<'_, ContactPorts>,
    query: ListQuery,
) -> Result<Listed, ContactsError> {
    let counted = contacts::list(cx, query.clone());
    sooner(counted, contacts::list_of_many(cx, query, MANY)).await
}

/// The counted page, or the other one, which is not begun before the counted one has taken long.
async fn sooner(
    counted: impl Future<Output = Result<Page<Contact>, ContactsError>>,
    of_many: impl Future<Output = Result<Option<OfMany>, ContactsError>>,
) -> Result<Listed, ContactsError> {
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

    use contact_hub_domain::page::PageRequest;
    use tokio::time::{Instant, sleep};

    use super::*;

    fn counted() -> Page<Contact> {
        Page::new(PageRequest::default(), 12_345, Vec::new())
    }

    async fn after<T>(milliseconds: u64, found: T) -> T {
        sleep(Duration::from_millis(milliseconds)).await;
        found
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_is_counted_soon_is_the_only_one() {
        let counted_soon = after(499, Ok(counted()));
        let not_begun = async { panic!("it is not begun") };
        let listed = sooner(counted_soon, not_begun).await.expect("a page");
        assert_eq!(listed, Listed::Counted(counted()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_of_many_is_not_waited_for_if_the_counted_one_is_found_sooner() {
        let listed = sooner(after(900, Ok(counted())), pending()).await.expect("a page");
        assert_eq!(listed, Listed::Counted(counted()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_that_is_not_long_or_fails_is_counted_to_the_end() {
        for of_many in [Ok(None), Err(ContactsError::NotFound)] {
            let listed = sooner(after(900, Ok(counted())), ready(of_many)).await.expect("a page");
            assert_eq!(listed, Listed::Counted(counted()));
        }
        let began = Instant::now();
        let failed = sooner(after(900, Err(ContactsError::NotFound)), ready(Ok(None))).await;
        assert!(matches!(failed, Err(ContactsError::NotFound)));
        assert_eq!(began.elapsed(), Duration::from_millis(900));
    }
}
