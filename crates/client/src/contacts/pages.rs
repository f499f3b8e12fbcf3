//! A list of contacts, read page by page.

use std::collections::VecDeque;

use super::{Contact, ContactQuery};
use crate::{ContactHub, Error};

/// The contacts of a list, read by cursors. Each contact that does not change in the meantime is returned exactly once,
/// regardless of other writes.
#[derive(Debug)]
pub struct Contacts {
    hub: ContactHub,
    query: ContactQuery,
    page: VecDeque<Contact>,
    /// The cursor of the next page; `None` after the last one.
    after: Option<String>,
}

impl ContactHub {
    /// Lists contacts to the end of the list. Pages are read when [`Contacts::next`] needs them.
    #[must_use]
    pub fn contacts(&self, query: &ContactQuery) -> Contacts {
        let query = query.clone().or_largest_pages();
        Contacts { hub: self.clone(), query, page: VecDeque::new(), after: Some(String::new()) }
    }
}

impl Contacts {
    /// The next contact; `None` at the end. After an error it can be called again.
    pub async fn next(&mut self) -> Result<Option<Contact>, Error> {
        loop {
            if let Some(contact) = self.page.pop_front() {
                return Ok(Some(contact));
            }
            let Some(after) = &self.after else { return Ok(None) };
            let page = self.hub.list_contacts(&self.query, after).await?;
            self.page = page.data.into();
            self.after = page.meta.next;
        }
    }
}
