//! The pages: what a person does with the service in a browser, without a line of code.
//!
//! A page is drawn on the server from a template that the compiler checks, and calls the same use cases as the
//! interfaces. `routes` says on one screen who may open which page; `guard` wraps every one of them: it identifies the
//! person by the session's cookie, rejects requests of other sites, and sets headers that keep foreign code from
//! running; `frame` is what all pages share; `form` reads forms and `form_view` shows them.
//!
//! # To add a page
//!
//! 1. The template in `templates/`, which extends `frame.html`.
//! 2. The handler, in the folder of its capability, and one line in `routes`.
//! 3. A test in `tests/it/pages/`, and a row in its `sizes.rs` when the page shows what a company keeps.
//! 4. A journey in `tests/browser/journeys/`, whose tour fails until it knows the page.
//!
//! # Never here
//!
//! No rule. No script or style inside a page: the policy would not run it. Nothing unescaped. No unbounded list: a
//! store returns it in pages or `part` cuts it, and `excerpt` cuts a long text.

mod access;
mod address;
mod admin;
mod caller;
mod charts;
mod contacts;
mod cookies;
mod crumb;
pub(crate) mod csrf;
mod docs;
mod excerpt;
mod failure;
mod fields;
mod files;
mod form;
mod form_view;
mod frame;
mod gone;
mod guard;
mod headers;
mod label;
mod listing;
pub(crate) mod live;
mod moment;
mod notice;
mod overview;
mod pager;
mod part;
mod resend;
mod respond;
mod routes;
mod seen_values;
mod session;
mod step_up;
mod sync;
mod webhooks;
mod words;

pub(crate) use caller::Person;
pub(crate) use docs::{docs_frame, guide};
pub(crate) use failure::{form_only, not_found};
pub(crate) use frame::Frame;
pub(crate) use headers::protect;
pub(crate) use routes::routes;
