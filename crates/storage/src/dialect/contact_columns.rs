//! The columns of `contacts` that writes fill, in the same order for both databases.

/// The columns, the id first.
pub(super) const WRITTEN: [&str; 13] = [
    "id",
    "email_identity",
    "email",
    "email_folded",
    "first_name",
    "first_name_folded",
    "last_name",
    "last_name_folded",
    "avatar_url",
    "field_values",
    "created_at",
    "updated_at",
    "company_id",
];

/// The columns that an update sets from those of a source.
const UPDATED: [&str; 9] = [
    "email",
    "email_folded",
    "first_name",
    "first_name_folded",
    "last_name",
    "last_name_folded",
    "avatar_url",
    "field_values",
    "updated_at",
];

/// `email = source.email, …`
pub(super) fn assignments() -> String {
    UPDATED.map(|column| format!("{column} = source.{column}")).join(", ")
}
