//! The input for a new integration or a change, and its validation.

use super::asset::AssetType;
use super::integration::{AssetTypes, Integration, IntegrationName};
use super::mapping::{MAX_MAPPED_TAGS, MappedTag, MergeTagMapping};
use super::platform::Platform;
use crate::ids::IntegrationId;
use crate::property::Property;
use crate::rules::{Purpose, broken, count, needed, optional, required, valid};
use crate::time::Timestamp;
use crate::violations::Violations;

/// The input for a new integration or a change.
#[derive(Clone, Debug, Default, garde::Validate)]
#[garde(context(Purpose as purpose))]
pub struct IntegrationDraft {
    /// Required.
    #[garde(custom(needed(*purpose)))]
    pub name: Property<IntegrationName>,
    /// Required: one or two types.
    #[garde(
        custom(needed(*purpose)),
        custom(count(1, AssetType::ALL.len(), "entries")),
        inner(custom(required), custom(once(&self.asset_types)))
    )]
    pub asset_types: Property<Vec<Property<AssetType>>>,
    /// Required.
    #[garde(custom(needed(*purpose)))]
    pub merge_tag_format: Property<Platform>,
    /// Optional.
    #[garde(custom(optional), custom(count(0, MAX_MAPPED_TAGS, "tags")), dive)]
    pub merge_tag_mapping: Property<Vec<MappedTag>>,
}

/// No earlier entry has the same value.
fn once<T: Clone + PartialEq, C>(
    list: &Property<Vec<Property<T>>>,
) -> impl Fn(&Property<T>, &C) -> garde::Result {
    move |entry, _context| {
        let first = list.entries().iter().find(|it| it.value() == entry.value());
        match entry.value() {
            Some(_) if first.is_some_and(|first| !std::ptr::eq(first, entry)) => {
                broken("must not be given twice")
            }
            _ => Ok(()),
        }
    }
}

impl IntegrationDraft {
    /// Validates a new integration. All violations are returned at once.
    pub fn validate(&self, id: IntegrationId, at: Timestamp) -> Result<Integration, Violations> {
        valid(self, Purpose::New, |_new| {
            Some(Integration {
                id,
                name: self.name.value()?,
                asset_types: self.asset_types()?,
                format: self.merge_tag_format.value()?,
                mapping: MergeTagMapping::of(self.merge_tag_mapping.entries()),
                created_at: at,
                updated_at: at,
            })
        })
    }

    /// The integration after a change. Absent members are left unchanged; null clears the mapping. All violations are
    /// returned at once.
    pub fn apply(&self, before: &Integration, at: Timestamp) -> Result<Integration, Violations> {
        valid(self, Purpose::Change, |_change| {
            let mut changed = Integration {
                name: self.name.or(&before.name),
                asset_types: self.asset_types().unwrap_or(before.asset_types),
                format: self.merge_tag_format.or(&before.format),
                ..before.clone()
            };
            if !self.merge_tag_mapping.is_absent() {
                changed.mapping = MergeTagMapping::of(self.merge_tag_mapping.entries());
            }
            if changed != *before {
                changed.updated_at = at.after(before.updated_at);
            }
            Some(changed)
        })
    }

    fn asset_types(&self) -> Option<AssetTypes> {
        AssetTypes::new(&self.asset_types.values::<Vec<AssetType>>()?)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::IntegrationDraft;
    use crate::ids::IntegrationId;
    use crate::input::Input;
    use crate::property::Property;
    use crate::sync::{AssetType, Integration, MappedTag, MergeTagName, Platform};
    use crate::time::Timestamp;
    use crate::violations::Violations;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("in range")
    }

    fn types(words: &[&str]) -> Property<Vec<Property<AssetType>>> {
        words.iter().map(|word| Property::from(*word)).collect()
    }

    fn mapping(name: &str, text: &str) -> Property<Vec<MappedTag>> {
        [(name.to_owned(), Input::from(text)).into()].into_iter().collect()
    }

    fn valid() -> IntegrationDraft {
        IntegrationDraft {
            name: " Ours ".into(),
            asset_types: types(&["landing_page", "email"]),
            merge_tag_format: "marketing_cloud".into(),
            merge_tag_mapping: mapping("email", "[e]"),
        }
    }

    fn integration() -> Integration {
        valid().validate(IntegrationId::new(Uuid::from_u128(1)), at(5)).expect("valid")
    }

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn reports_all_violations_at_once() {
        let integration = integration();
        assert_eq!(integration.name.as_str(), "Ours");
        assert_eq!(integration.asset_types.iter().collect::<Vec<_>>(), AssetType::ALL);
        assert_eq!(integration.format, Platform::Sfmc);
        assert_eq!(integration.mapping.get(&MergeTagName::Email), Some("[e]"));
        let id = integration.id;
        let all = ["asset_types", "merge_tag_format", "name"];
        assert_eq!(
            paths(&IntegrationDraft::default().validate(id, at(5)).expect_err("empty")),
            all
        );
        let wrong = IntegrationDraft {
            name: Input::Number("1".into()).into(),
            asset_types: types(&["email", "email"]),
            merge_tag_format: "own".into(),
            merge_tag_mapping: mapping("x", "y"),
        };
        let all = ["merge_tag_format", "name", "asset_types.1", "merge_tag_mapping.x"];
        assert_eq!(paths(&wrong.validate(id, at(5)).expect_err("wrong")), all);
        for asset_types in [types(&[]), types(&["email"; 3]), Property::not_an_array()] {
            let wrong = IntegrationDraft { asset_types, ..valid() };
            assert_eq!(paths(&wrong.validate(id, at(5)).expect_err("wrong")), ["asset_types"]);
        }
    }

    #[test]
    fn a_change_keeps_absent_members() {
        let before = integration();
        assert_eq!(IntegrationDraft::default().apply(&before, at(9)).expect("valid"), before);
        assert_eq!(valid().apply(&before, at(9)).expect("valid"), before);
        let cleared =
            IntegrationDraft { merge_tag_mapping: Property::Null, ..IntegrationDraft::default() };
        let after = cleared.apply(&before, at(9)).expect("valid");
        assert_eq!((after.mapping.iter().count(), after.updated_at), (0, at(9)));
        assert_eq!((after.name, after.format), (before.name.clone(), before.format));
        let wrong = IntegrationDraft {
            name: Property::Null,
            asset_types: Property::not_an_array(),
            merge_tag_format: Property::Null,
            merge_tag_mapping: Property::not_an_object(),
        };
        let all = ["asset_types", "merge_tag_format", "merge_tag_mapping", "name"];
        assert_eq!(paths(&wrong.apply(&before, at(9)).expect_err("wrong")), all);
    }
}
