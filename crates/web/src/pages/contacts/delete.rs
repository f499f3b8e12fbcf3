//! `POST /contacts/{id}/delete`

use contact_hub_domain::contacts;
use contact_hub_domain::ids::ContactId;

use super::version::{expected, for_page};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<ContactId>,
    form: Form,
) -> Answer {
    contacts::delete(&caller.context(), id, expected(&form)).await.map_err(for_page)?;
    Ok(respond::done_with(&caller, "/contacts", Notice::ContactDeleted, 1, &[id]))
}
