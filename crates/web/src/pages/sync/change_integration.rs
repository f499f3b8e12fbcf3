//! `GET` and `POST /admin/integrations/platforms/{id}`

use contact_hub_domain::ids::IntegrationId;
use contact_hub_domain::sync::{self, Integration};

use super::integration_form::{change, draw, filled};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<IntegrationId>) -> Answer {
    let integration = sync::read_integration(&caller.context(), id).await?;
    draw(&caller, filled(&integration), Some(named(&integration))).await
}

pub(crate) async fn handle(
    caller: PageCaller,
    PathId(id): PathId<IntegrationId>,
    form: Form,
) -> Answer {
    match sync::change_integration(&caller.context(), id, change(&form)).await {
        Ok(_integration) => {
            let location = "/admin/integrations/platforms";
            Ok(respond::done(&caller, location, Notice::ConnectionChanged))
        }
        Err(error) => {
            let form = FormView::refused(&form, error)?;
            let integration = sync::read_integration(&caller.context(), id).await?;
            draw(&caller, form, Some(named(&integration))).await
        }
    }
}

fn named(integration: &Integration) -> Named {
    Named::new(&integration.id, integration.name.as_str())
}
