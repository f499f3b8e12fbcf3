//! Signs in the person for whom a provider vouches.

use contact_hub_domain::access::{
    CreateUserOutcome, OidcSignIn, OidcSignInOutcome, Permission, Permissions, Session,
    SignInMethod, User,
};
use contact_hub_domain::audit::{AuditAction, NewAuditEntry};
use contact_hub_domain::author::Author;
use contact_hub_domain::ids::UserId;
use serde_json::{Map, Value};

use super::subjects;
use crate::access::lock::{ask, lock_user};
use crate::access::rows::{USER, UserRow};
use crate::access::sessions::{self, Begun, How, SecondStep};
use crate::access::writes;
use crate::audit;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::recorded::Recorded;
use crate::room::lock_company;
use crate::statement::{sql, statement};

/// A user who is found or created, or why there is none.
enum Found {
    User(UserId),
    Nobody(OidcSignInOutcome),
}

/// The entries of a sign-in, which are appended together.
struct Entries<'a> {
    sign_in: &'a OidcSignIn,
    entries: Vec<NewAuditEntry>,
}

impl Entries<'_> {
    /// Adds the entry of an action of the provider on a user.
    fn add(&mut self, action: AuditAction, user: &User) {
        let entry = self.entry(action, user);
        self.entries.push(entry);
    }

    fn entry(&self, action: AuditAction, user: &User) -> NewAuditEntry {
        let by = Author { company: user.company_id, user: None, call: self.sign_in.call.clone() };
        let at = self.sign_in.session.created_at;
        let mut entry = NewAuditEntry::of(&by, action, user.id.uuid(), at);
        let provider = Value::from(self.sign_in.person.subject.provider.as_str());
        entry.new = Some(Map::from_iter([("provider".to_owned(), provider)]));
        entry
    }

    /// Adds the entry of the sign-in, unless a code is missing: the second step then appends it.
    fn signed_in(&mut self, begun: Begun, user: &User) {
        if begun == Begun::Open {
            let mut entry = self.entry(AuditAction::SignedInByOidc, user);
            entry.by.user = Some(user.id);
            entry.object = Some(self.sign_in.session.id.uuid());
            self.entries.push(entry);
        }
    }
}

pub(super) fn sign_in(
    connection: &mut Connection,
    sign_in: &OidcSignIn,
) -> Result<Recorded<OidcSignInOutcome>, Failure> {
    let mut entries = Entries { sign_in, entries: Vec::new() };
    let id = match find(connection, sign_in, &mut entries)? {
        Found::User(id) => id,
        Found::Nobody(outcome) => return Ok(Recorded::unchanged(outcome)),
    };
    // Between the look-up and the lock the user may have been deleted.
    let user = locked(connection, sign_in, id)?.ok_or(Failure::Overtaken)?;
    renew_permissions(connection, sign_in, &user, &mut entries)?;
    let session = Session { user_id: user.id, ..sign_in.session };
    let second_step =
        if sign_in.used_many_factors { SecondStep::DoneElsewhere } else { SecondStep::IfSetUp };
    let method = match sign_in.person.company {
        Some(_) => SignInMethod::CompanyProvider,
        None => SignInMethod::OperatorProvider,
    };
    let how = How { method, second_step };
    let begun = sessions::insert(connection, &session, sign_in.token, &sign_in.call, how)?;
    entries.signed_in(begun, &user);
    if entries.entries.is_empty() {
        return Ok(Recorded::unchanged(OidcSignInOutcome::Begun));
    }
    let audited = audit::append_all(connection, user.company_id, &entries.entries)?;
    Ok(Recorded::by(audited, OidcSignInOutcome::Begun))
}

/// The user whom the provider knows, or who is found by email, or who is created.
fn find(
    connection: &mut Connection,
    sign_in: &OidcSignIn,
    entries: &mut Entries<'_>,
) -> Result<Found, Failure> {
    let (person, at) = (&sign_in.person, sign_in.session.created_at);
    if let Some(known) = subjects::user_of(connection, &person.subject)? {
        return Ok(Found::User(known));
    }
    if let Some(user) = subjects::user_with_email(connection, person)? {
        if !lock_user(connection, person.company, user.id)? {
            return Err(Failure::Overtaken);
        }
        if !subjects::link(connection, &person.subject, user.id, at)? {
            return Ok(Found::Nobody(OidcSignInOutcome::OtherSubject));
        }
        entries.add(AuditAction::OidcLinked, &user);
        return Ok(Found::User(user.id));
    }
    let Some(user) = &sign_in.new_user else {
        return Ok(Found::Nobody(OidcSignInOutcome::NoUser));
    };
    match writes::create_user(connection, user, sign_in.max_users)? {
        CreateUserOutcome::Created => {}
        CreateUserOutcome::EmailTaken => return Err(Failure::Overtaken),
        CreateUserOutcome::Full => return Ok(Found::Nobody(OidcSignInOutcome::Full)),
        CreateUserOutcome::CompanyUnknown => {
            return Ok(Found::Nobody(OidcSignInOutcome::NoUser));
        }
    }
    if !subjects::link(connection, &person.subject, user.id, at)? {
        return Err(Failure::Overtaken);
    }
    let entry = entries.entry(AuditAction::UserCreated, user).with_new(user);
    entries.entries.push(entry);
    entries.add(AuditAction::OidcLinked, user);
    Ok(Found::User(user.id))
}

/// The user, locked; `None` when there is none, or the company is being deleted.
fn locked(
    connection: &mut Connection,
    sign_in: &OidcSignIn,
    id: UserId,
) -> Result<Option<User>, Failure> {
    if !lock_user(connection, sign_in.person.company, id)? {
        return Ok(None);
    }
    let select = sql!("SELECT {} FROM users WHERE id = ?", USER);
    Ok(connection.first::<UserRow>(select.bind(id))?.map(UserRow::into_user))
}

/// Gives a locked user the permissions of the groups.
fn renew_permissions(
    connection: &mut Connection,
    sign_in: &OidcSignIn,
    user: &User,
    entries: &mut Entries<'_>,
) -> Result<(), Failure> {
    let Some(mut permissions) = sign_in.permissions else { return Ok(()) };
    let loses_access = user.manages_access() && !permissions.has(Permission::ManageAccess);
    if loses_access && !others_manage_access(connection, user)? {
        permissions = with_access(permissions);
    }
    if permissions == user.permissions {
        return Ok(());
    }
    let text = "UPDATE users SET permissions = ? WHERE id = ?";
    connection.execute(statement(text).bind(permissions.bits()).bind(user.id))?;
    let after = User { permissions, ..user.clone() };
    let entry = entries.entry(AuditAction::UserUpdated, user).with_changes(user, &after);
    entries.entries.push(entry);
    Ok(())
}

fn with_access(permissions: Permissions) -> Permissions {
    permissions.iter().chain([Permission::ManageAccess]).collect()
}

/// Whether another user of the company manages access. The company is locked, so that of two such users at most one loses
/// it at a time.
fn others_manage_access(connection: &mut Connection, user: &User) -> Result<bool, Failure> {
    lock_company(connection, user.company_id)?;
    let bit: Permissions = [Permission::ManageAccess].into_iter().collect();
    let text = "SELECT EXISTS (SELECT 1 FROM users WHERE company_id = ? AND id <> ? \
         AND permissions & ? <> 0) AS yes";
    ask(connection, statement(text).bind(user.company_id).bind(user.id).bind(bit.bits()))
}
