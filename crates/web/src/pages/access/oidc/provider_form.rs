//! The form of an identity provider, for creating and for changing alike.

use askama::Template;

use contact_hub_domain::access::{
    self, CompanyProvider, OidcProviderDraft, Permission, Permissions,
};
use contact_hub_domain::property::Property;

use crate::error::Answer;
use crate::pages::access::roles::{preset, role_of};
use crate::pages::caller::PageCaller;
use crate::pages::crumb::Named;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/oidc/form.html")]
struct ProviderPage {
    frame: Frame,
    form: FormView,
    /// A provider that exists.
    provider: Option<Named>,
    /// Where the provider sends browsers back.
    redirect: String,
    secret_hint: &'static str,
    domain_hint: String,
}

/// The provider that the form describes.
pub(super) fn draft(form: &Form) -> OidcProviderDraft {
    let words = |name: &str| form.text(name).split_whitespace().collect::<Vec<_>>();
    let groups = form.text("groups").lines().map(str::trim).filter(|line| !line.is_empty());
    OidcProviderDraft {
        name: form.clearing("name"),
        issuer: form.clearing("issuer"),
        client_id: form.clearing("client_id"),
        client_secret: form.input("client_secret"),
        scopes: words("scopes").into_iter().map(Property::from).collect(),
        trusts_emails: form.is_ticked("trusts_emails"),
        creates_users: form.is_ticked("creates_users"),
        group_claim: form.input("group_claim"),
        groups: groups.map(|line| Property::from(in_permissions(line).as_str())).collect(),
        domains: words("domains").into_iter().map(Property::from).collect(),
    }
}

/// A line of the groups, with the permissions of roles in place of their names.
fn in_permissions(line: &str) -> String {
    let Some((group, words)) = line.rsplit_once('=') else { return line.to_owned() };
    let words = words.split(',').map(|word| match preset(word.trim()) {
        Some(role) => names(role),
        None => word.to_owned(),
    });
    format!("{group}={}", words.collect::<Vec<_>>().join(","))
}

fn names(permissions: Permissions) -> String {
    permissions.iter().map(Permission::as_str).collect::<Vec<_>>().join(",")
}

/// The form filled with a provider. Its secret is not shown.
pub(super) fn filled(provider: &CompanyProvider) -> FormView {
    let mut values = vec![
        ("name".to_owned(), provider.name.clone()),
        ("issuer".to_owned(), provider.issuer.clone()),
        ("client_id".to_owned(), provider.client_id.clone()),
        ("scopes".to_owned(), provider.scopes.join(" ")),
        ("domains".to_owned(), provider.domains.join("\n")),
    ];
    let ticked =
        [("trusts_emails", provider.trusts_emails), ("creates_users", provider.creates_users)];
    let ticked = ticked.iter().filter(|(_, is_ticked)| *is_ticked);
    values.extend(ticked.map(|(name, _)| ((*name).to_owned(), "on".to_owned())));
    if let Some(groups) = &provider.groups {
        let lines: Vec<String> = groups.groups.iter().map(line).collect();
        values.push(("group_claim".to_owned(), groups.claim.clone()));
        values.push(("groups".to_owned(), lines.join("\n")));
    }
    FormView::of(values)
}

fn line((group, permissions): &(String, Permissions)) -> String {
    let role = role_of(*permissions);
    let words = if preset(role).is_some() { role.to_owned() } else { names(*permissions) };
    format!("{group} = {words}")
}

/// Draws the page.
pub(super) async fn draw(
    caller: &PageCaller,
    provider: Option<&CompanyProvider>,
    form: FormView,
) -> Answer {
    let allowed = access::list_oidc_domains(&caller.context()).await?;
    let domain_hint = match allowed.as_slice() {
        [] => "Your company has no domains yet. The operator of this service allows them; until then people use the sign-in address."
            .to_owned(),
        domains => format!(
            "One per line. On the sign-in page their emails lead to this provider, and it signs in no others. \
             Allowed: {}.",
            domains.join(", ")
        ),
    };
    let title = if provider.is_some() { "Identity provider" } else { "New identity provider" };
    let oidc = &caller.state().ports.access.oidc;
    let key = provider.map(|it| access::ProviderKey::of_company(it.id));
    let page = ProviderPage {
        frame: caller.frame(Section::Company, title),
        form: form.without("client_secret"),
        provider: provider.map(|it| Named::new(&it.id, it.name.as_str())),
        redirect: key.map(|key| oidc.redirect(&key)).unwrap_or_default(),
        secret_hint: if provider.is_some() {
            "Leave it empty to keep the current one. A new issuer needs a new secret."
        } else {
            ""
        },
        domain_hint,
    };
    respond::page_with(page.form.status(), &page)
}

#[cfg(test)]
mod tests {
    use super::in_permissions;

    #[test]
    fn roles_are_names_for_permissions() {
        assert_eq!(in_permissions("a = b = editor"), "a = b =contacts_api,publish");
        assert_eq!(in_permissions("staff= publish"), "staff= publish");
        assert_eq!(in_permissions("staff"), "staff");
    }
}
