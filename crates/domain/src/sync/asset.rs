//! Assets: emails and landing pages that platforms send or show.

use strum::{Display, EnumCount, IntoStaticStr, VariantArray};

use crate::ids::AssetId;
use crate::input::FromText;
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;
use crate::violations::Problem;
use crate::words::one_of;

/// The longest name of an asset, in code points.
pub const MAX_ASSET_NAME: usize = 255;

/// The longest HTML and the longest text of an asset, in bytes of UTF-8.
pub const MAX_ASSET_BODY: usize = 2 << 20;

/// The longest subject and preheader, in code points.
pub const MAX_SUBJECT: usize = 1000;

/// The kinds of assets.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray, Display,
)]
#[strum(serialize_all = "snake_case")]
pub enum AssetType {
    /// An email, with a subject.
    Email,
    /// A page on the web.
    LandingPage,
}

impl FromText for AssetType {
    fn from_text(text: &str) -> Result<Self, Problem> {
        one_of(text, &Self::ALL)
    }
}

texts! {
    /// The name of an asset.
    AssetName, |text| text::name(text, MAX_ASSET_NAME);
    /// HTML or plain text of an asset, kept byte by byte.
    AssetBody, body;
    /// A subject or a preheader: one line.
    Line, |text| text::name(text, MAX_SUBJECT);
}

fn body(text: &str) -> Result<&str, Problem> {
    if text.len() > MAX_ASSET_BODY {
        return Err(Problem::new(format!("must be at most {MAX_ASSET_BODY} bytes of UTF-8")));
    }
    text::without_nul(text)
}

/// The type, with the attributes that only this type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetForm {
    /// An email.
    Email {
        /// The subject.
        subject: Line,
        /// The text that mail programs show beside the subject.
        preheader: Option<Line>,
    },
    /// A landing page.
    LandingPage,
}

impl AssetForm {
    /// The type.
    #[must_use]
    pub const fn kind(&self) -> AssetType {
        match self {
            Self::Email { .. } => AssetType::Email,
            Self::LandingPage => AssetType::LandingPage,
        }
    }

    /// The subject of an email.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Email { subject, .. } => Some(subject.as_str()),
            Self::LandingPage => None,
        }
    }

    /// The preheader of an email that has one.
    #[must_use]
    pub fn preheader(&self) -> Option<&str> {
        match self {
            Self::Email { preheader, .. } => preheader.as_ref().map(Line::as_str),
            Self::LandingPage => None,
        }
    }
}

/// The plain text of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetText {
    /// The text.
    pub text: String,
    /// Whether it was derived from the HTML, and so changes with it.
    pub is_made: bool,
}

/// An asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The service's id.
    pub id: AssetId,
    /// The name.
    pub name: AssetName,
    /// Its type, with the attributes that only this type has.
    pub form: AssetForm,
    /// The HTML.
    pub html: AssetBody,
    /// The plain text.
    pub text: AssetText,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed. It increases with every change.
    pub updated_at: Timestamp,
}
