//! The input for a new integration or a change, and its validation.

use super::asset::AssetType;
use super::integration::{AssetTypes, Integration, IntegrationName};
use super::mapping::MergeTagMapping;
use super::platform::Platform;
use crate::ids::IntegrationId;
use crate::input::{Input, InputList};
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

const ASSET_TYPES: &str = "asset_types";
const MAPPING: &str = "merge_tag_mapping";

/// The input for an object of scalar members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InputObject {
    /// The property is absent.
    #[default]
    Absent,
    /// An explicit null.
    Null,
    /// Not an object.
    NotAnObject,
    /// Its members.
    Members(Vec<(String, Input)>),
}

/// The input for a new integration or a change.
#[derive(Clone, Debug, Default)]
pub struct IntegrationDraft {
    /// Required.
    pub name: Input,
    /// Required: one or two types.
    pub asset_types: InputList<Input>,
    /// Required.
    pub merge_tag_format: Input,
    /// Optional.
    pub merge_tag_mapping: InputObject,
}

impl IntegrationDraft {
    /// Validates a new integration. All violations are returned at once.
    pub fn validate(&self, id: IntegrationId, at: Timestamp) -> Result<Integration, Violations> {
        let mut violations = Violations::default();
        let name = violations.collect("name", self.name.required());
        let asset_types = self.asset_types(&mut violations);
        let format = violations.collect("merge_tag_format", self.merge_tag_format.required());
        let mapping = self.mapping(&mut violations).unwrap_or_default();
        match (name, asset_types, format) {
            (Some(name), Some(asset_types), Some(format)) if violations.is_empty() => {
                let (created_at, updated_at) = (at, at);
                Ok(Integration { id, name, asset_types, format, mapping, created_at, updated_at })
            }
            _ => Err(violations),
        }
    }

    /// The integration after a change. Absent members stay; null clears the mapping. All violations are returned at
    /// once.
    pub fn apply(&self, before: &Integration, at: Timestamp) -> Result<Integration, Violations> {
        let mut violations = Violations::default();
        let mut changed = before.clone();
        if self.name != Input::Absent {
            let name: Option<IntegrationName> = violations.collect("name", self.name.required());
            changed.name = name.unwrap_or(changed.name);
        }
        if self.asset_types != InputList::Absent {
            let types = self.asset_types(&mut violations);
            changed.asset_types = types.unwrap_or(changed.asset_types);
        }
        if self.merge_tag_format != Input::Absent {
            let format: Option<Platform> =
                violations.collect("merge_tag_format", self.merge_tag_format.required());
            changed.format = format.unwrap_or(changed.format);
        }
        changed.mapping = self.mapping(&mut violations).unwrap_or(changed.mapping);
        violations.into_result()?;
        if changed != *before {
            changed.updated_at = at.after(before.updated_at);
        }
        Ok(changed)
    }

    fn asset_types(&self, violations: &mut Violations) -> Option<AssetTypes> {
        let input = match self.asset_types.bounded(ASSET_TYPES, AssetType::ALL.len()) {
            Ok(input) => input,
            Err(found) => {
                for (path, messages) in found.iter() {
                    for message in messages {
                        violations.add(path, Problem::new(message.as_str()));
                    }
                }
                return None;
            }
        };
        let mut types = Vec::new();
        for (place, input) in input.iter().enumerate() {
            let fresh = input.required().and_then(|kind| {
                if types.contains(&kind) {
                    return Err(Problem::new("must not be given twice"));
                }
                Ok(kind)
            });
            types.extend(violations.collect(&format!("{ASSET_TYPES}.{place}"), fresh));
        }
        AssetTypes::new(&types)
    }

    /// `None` when the request does not have it.
    fn mapping(&self, violations: &mut Violations) -> Option<MergeTagMapping> {
        match &self.merge_tag_mapping {
            InputObject::Absent => None,
            InputObject::Null => Some(MergeTagMapping::default()),
            InputObject::NotAnObject => {
                violations.add(MAPPING, Problem::new("must be an object"));
                None
            }
            InputObject::Members(members) => {
                Some(MergeTagMapping::validate(MAPPING, members, violations))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{InputObject, IntegrationDraft};
    use crate::ids::IntegrationId;
    use crate::input::{Input, InputList};
    use crate::sync::{AssetType, Integration, MergeTagName, Platform};
    use crate::time::Timestamp;
    use crate::violations::Violations;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).expect("in range")
    }

    fn types(words: &[&str]) -> InputList<Input> {
        InputList::Items(words.iter().map(|word| Input::from(*word)).collect())
    }

    fn valid() -> IntegrationDraft {
        IntegrationDraft {
            name: " Ours ".into(),
            asset_types: types(&["landing_page", "email"]),
            merge_tag_format: "marketing_cloud".into(),
            merge_tag_mapping: InputObject::Members(vec![("email".into(), "[e]".into())]),
        }
    }

    fn integration() -> Integration {
        valid().validate(IntegrationId::new(Uuid::from_u128(1)), at(5)).expect("valid")
    }

    fn paths(violations: &Violations) -> Vec<&str> {
        violations.iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn judges_everything_at_once() {
        let integration = integration();
        assert_eq!(integration.name.as_str(), "Ours");
        assert_eq!(integration.asset_types.iter().collect::<Vec<_>>(), AssetType::ALL);
        assert_eq!(integration.format, Platform::Sfmc);
        assert_eq!(integration.mapping.get(&MergeTagName::Email), Some("[e]"));
        let id = integration.id;
        let all = ["name", "asset_types", "merge_tag_format"];
        assert_eq!(
            paths(&IntegrationDraft::default().validate(id, at(5)).expect_err("empty")),
            all
        );
        let wrong = IntegrationDraft {
            name: Input::Number("1".into()),
            asset_types: types(&["email", "email"]),
            merge_tag_format: "own".into(),
            merge_tag_mapping: InputObject::Members(vec![("x".into(), "y".into())]),
        };
        let all = ["name", "asset_types.1", "merge_tag_format", "merge_tag_mapping.x"];
        assert_eq!(paths(&wrong.validate(id, at(5)).expect_err("wrong")), all);
        for asset_types in [types(&[]), types(&["email"; 3]), InputList::NotAnArray] {
            let wrong = IntegrationDraft { asset_types, ..valid() };
            assert_eq!(paths(&wrong.validate(id, at(5)).expect_err("wrong")), ["asset_types"]);
        }
    }

    #[test]
    fn a_change_keeps_what_is_absent() {
        let before = integration();
        assert_eq!(IntegrationDraft::default().apply(&before, at(9)).expect("valid"), before);
        assert_eq!(valid().apply(&before, at(9)).expect("valid"), before);
        let cleared = IntegrationDraft {
            merge_tag_mapping: InputObject::Null,
            ..IntegrationDraft::default()
        };
        let after = cleared.apply(&before, at(9)).expect("valid");
        assert_eq!((after.mapping.iter().count(), after.updated_at), (0, at(9)));
        assert_eq!((after.name, after.format), (before.name.clone(), before.format));
        let wrong = IntegrationDraft {
            name: Input::Null,
            asset_types: InputList::NotAnArray,
            merge_tag_format: Input::Null,
            merge_tag_mapping: InputObject::NotAnObject,
        };
        let all = ["name", "asset_types", "merge_tag_format", "merge_tag_mapping"];
        assert_eq!(paths(&wrong.apply(&before, at(9)).expect_err("wrong")), all);
    }
}
