//! `POST /account/passkeys/{id}` renames a passkey, and `POST /account/passkeys/{id}/delete` deletes it.

use contact_hub_domain::access::{self, AccessError, PasskeyDraft};
use contact_hub_domain::ids::PasskeyId;

use super::PATH;
use super::list::with_refused_name;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn rename(
    caller: PageCaller,
    PathId(id): PathId<PasskeyId>,
    form: Form,
) -> Answer {
    let draft = PasskeyDraft { name: form.input("name") };
    let (cx, user) = (caller.context(), caller.holder().session.user_id);
    match access::rename_passkey(cx.ports, user, id, &draft, cx.call).await {
        Ok(()) => Ok(respond::done(&caller, PATH, Notice::PasskeyRenamed)),
        Err(error @ AccessError::Invalid(_)) => {
            with_refused_name(&caller, id, FormView::refused(&form, error)?).await
        }
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn delete(caller: PageCaller, PathId(id): PathId<PasskeyId>) -> Answer {
    let (cx, user) = (caller.context(), caller.holder().session.user_id);
    access::delete_passkey(cx.ports, user, id, cx.call).await?;
    Ok(respond::done(&caller, PATH, Notice::PasskeyDeleted))
}
