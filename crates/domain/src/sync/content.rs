//! The content of an asset in a platform's syntax.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use super::asset::Asset;
use super::convert::{convert_within, tags};
use super::error::SyncError;
use super::mapping::MergeTagMapping;
use super::merge_tag::MergeTagName;
use super::platform::Platform;
use crate::violations::{Problem, Violations};

/// The longest converted HTML or text, in bytes. A mapping could make a document hundreds of times longer.
pub const MAX_CONVERTED: usize = 4 << 20;

/// The number of hexadecimal digits of a content's version.
const VERSION_DIGITS: usize = 32;

/// An asset, and the syntax of the requested content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Content {
    /// The asset.
    pub asset: Asset,
    /// The syntax; `None` leaves tags unchanged.
    pub platform: Option<Platform>,
    /// The company's own texts for tags.
    pub mapping: MergeTagMapping,
}

/// The converted content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The subject of an email.
    pub subject: Option<String>,
    /// The preheader of an email that has one.
    pub preheader: Option<String>,
    /// The HTML.
    pub html: String,
    /// The plain text.
    pub text: String,
    /// The variables of all tags, each once.
    pub merge_tags: Vec<MergeTagName>,
}

impl Content {
    /// The version, in hexadecimal digits. It depends on the asset, its version, the platform, the mapping, and the
    /// version of the service, which may convert differently.
    #[must_use]
    pub fn version(&self) -> String {
        let mut digest = Sha256::new();
        let mut part = |text: &str| {
            digest.update(text.len().to_be_bytes());
            digest.update(text);
        };
        part(env!("CARGO_PKG_VERSION"));
        part(&self.asset.id.to_string());
        part(&self.asset.updated_at.micros().to_string());
        part(self.platform.map_or("", Platform::as_str));
        for (name, text) in self.mapping.iter() {
            part(&name.to_string());
            part(text);
        }
        let mut version = hex::encode(digest.finalize());
        version.truncate(VERSION_DIGITS);
        version
    }

    /// Converts every part. Rejected when one of them would be longer than [`MAX_CONVERTED`].
    pub fn render(&self) -> Result<Rendered, SyncError> {
        self.rendered().ok_or_else(|| {
            let problem = Problem::new(format!(
                "makes the content longer than {MAX_CONVERTED} bytes, because of the texts that merge tags are mapped to"
            ));
            SyncError::Invalid(Violations::one("platform", problem))
        })
    }

    fn rendered(&self) -> Option<Rendered> {
        let form = &self.asset.form;
        let converted_line = |line: Option<&str>| match line {
            Some(line) => self.converted(line).map(Some),
            None => Some(None),
        };
        Some(Rendered {
            subject: converted_line(form.subject())?,
            preheader: converted_line(form.preheader())?,
            html: self.converted(self.asset.html.as_str())?,
            text: self.converted(&self.asset.text.text)?,
            merge_tags: self.merge_tags(),
        })
    }

    fn converted(&self, template: &str) -> Option<String> {
        match self.platform {
            Some(platform) => convert_within(template, platform, &self.mapping, MAX_CONVERTED),
            None => Some(template.to_owned()),
        }
    }

    fn merge_tags(&self) -> Vec<MergeTagName> {
        let Asset { form, html, text, .. } = &self.asset;
        let parts = [form.subject(), form.preheader(), Some(html.as_str()), Some(&text.text)];
        let mut seen = HashSet::new();
        let all = parts.into_iter().flatten().flat_map(tags);
        all.filter(|name| seen.insert(name.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uuid::Uuid;

    use super::{Content, SyncError};
    use crate::ids::AssetId;
    use crate::sync::{AssetDraft, MergeTagMapping, MergeTagName, Platform};
    use crate::time::Timestamp;

    fn content(html: &str) -> Content {
        let draft = AssetDraft {
            name: "Spring".into(),
            r#type: "email".into(),
            html: html.into(),
            subject: "{{email|x}}".into(),
            preheader: "{{last_name}}".into(),
            ..AssetDraft::default()
        };
        let at = Timestamp::from_micros(7).expect("in range");
        let asset = draft.validate(AssetId::new(Uuid::from_u128(1)), at).expect("valid");
        Content { asset, platform: None, mapping: MergeTagMapping::default() }
    }

    fn mapping(text: &str) -> MergeTagMapping {
        MergeTagMapping::from_stored(BTreeMap::from([(MergeTagName::Email, text.to_owned())]))
    }

    #[test]
    fn converts_every_part() {
        let mut content = content("<p>{{first_name}} {{email}}</p>");
        let plain = content.render().expect("short");
        assert_eq!(plain.html, content.asset.html.as_str());
        let names: Vec<String> = plain.merge_tags.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["email", "last_name", "first_name"]);
        content.platform = Some(Platform::Marketo);
        content.mapping = mapping("[own]");
        let converted = content.render().expect("short");
        assert_eq!(converted.subject.as_deref(), Some("[own]"));
        assert_eq!(converted.preheader.as_deref(), Some("{{lead.Last Name}}"));
        assert_eq!(converted.html, "<p>{{lead.First Name}} [own]</p>");
        assert_eq!(converted.text, "{{lead.First Name}} [own]");
        assert_eq!(converted.merge_tags, plain.merge_tags);
    }

    #[test]
    fn a_version_distinguishes_contents() {
        let one = content("x");
        let mut versions = vec![one.version()];
        for platform in Platform::ALL {
            versions.push(Content { platform: Some(platform), ..one.clone() }.version());
        }
        for text in ["a", "b"] {
            versions.push(Content { mapping: mapping(text), ..one.clone() }.version());
        }
        let mut later = one.clone();
        later.asset.updated_at = Timestamp::from_micros(8).expect("in range");
        versions.push(later.version());
        let all = versions.len();
        versions.sort();
        versions.dedup();
        assert_eq!(versions.len(), all);
        assert_eq!(one.version(), content("x").version());
        assert!(one.version().bytes().all(|byte| byte.is_ascii_hexdigit()));
    }

    #[test]
    fn content_that_a_mapping_makes_too_long_is_rejected() {
        let mut content = content(&"{{email}}".repeat(100_000));
        content.platform = Some(Platform::Marketo);
        assert!(content.render().is_ok());
        content.mapping = mapping(&"x".repeat(1000));
        assert!(matches!(content.render(), Err(SyncError::Invalid(_))));
    }
}
