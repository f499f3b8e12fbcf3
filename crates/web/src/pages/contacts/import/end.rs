//! `POST /contacts/import/end`: what an import did, for the overview and for an alert.

use actix_web::HttpResponse;

use contact_hub_domain::alerts::{self, EndedImport};
use contact_hub_domain::overview::{self, ImportCounts};

use crate::error::Answer;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;

/// A malformed number counts as 0.
pub(crate) async fn handle(caller: PageCaller, form: Form) -> Answer {
    let number = |name| form.text(name).parse().unwrap_or_default();
    let counts = ImportCounts {
        created: number("created"),
        updated: number("updated"),
        unchanged: number("unchanged"),
        refused: number("refused"),
    };
    overview::record_import(&caller.context(), counts).await?;
    let ended = EndedImport {
        file: form.text("file").to_owned(),
        created: counts.created,
        updated: counts.updated,
        rejected: counts.refused,
    };
    alerts::import_ended(&caller.context(), &ended).await?;
    Ok(HttpResponse::NoContent().finish())
}
