//! The journeys, each with its steps in the order in which a user takes them.

#![expect(clippy::too_many_lines, reason = "a journey is one story")]

mod api_access;
mod assets;
mod company;
mod contacts;
mod environment;
mod hostile;
mod import;
mod list_contacts;
mod live;
mod oidc;
mod overview;
mod passkeys;
mod platforms;
mod searching;
mod sign_in;
mod story;
mod tour;
mod two_step;
mod webhooks;
