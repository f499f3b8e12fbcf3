//! `POST /account/passkeys/options`: asks for a proof with a passkey of the signed-in user.

use actix_web::HttpRequest;

use contact_hub_domain::access;

use super::asked;
use crate::error::Answer;
use crate::origin::Origin;
use crate::pages::caller::PageCaller;

pub(crate) async fn begin(caller: PageCaller, request: HttpRequest) -> Answer {
    let (ports, address) = (&caller.state().ports.access, Origin::of(&request).address);
    let begun = access::begin_passkey_confirmation(ports, caller.holder(), address).await?;
    Ok(asked(caller.who.is_secure, &begun))
}
