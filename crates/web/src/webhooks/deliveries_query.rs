//! The query of a list of deliveries.

use contact_hub_domain::ids::{SyncId, WebhookId};
use contact_hub_domain::violations::{Problem, Violations};
use contact_hub_domain::webhooks::{DeliveriesQuery, DeliveryState};

use crate::extract::query::{FromQuery, Parameter, Query, no_sorts, page};

const FILTER: &str = "filter";
const NAMES: [&str; 3] = ["webhook_id", "sync_id", "state"];

impl FromQuery for DeliveriesQuery {
    type Error = Violations;

    /// A condition is written `filter[state]=…` or `state=…`. Unknown parameters below `filter` are violations.
    fn from_query(raw: &str) -> Result<Self, Violations> {
        let query = Query::parse(raw);
        let mut violations = Violations::default();
        let page = page(query, &mut violations);
        refuse_unknown(query, &mut violations);
        no_sorts(query, &mut violations);
        let read = Self {
            page,
            webhook_id: condition(query, "webhook_id", &mut violations, |text| {
                WebhookId::parse(text).ok_or_else(|| Problem::new("must be an id"))
            }),
            sync_id: condition(query, "sync_id", &mut violations, |text| {
                SyncId::parse(text).ok_or_else(|| Problem::new("must be an id"))
            }),
            state: condition(query, "state", &mut violations, state),
        };
        violations.into_result().map(|()| read)
    }
}

fn state(text: &str) -> Result<DeliveryState, Problem> {
    DeliveryState::parse(text).ok_or_else(|| Problem::not_one_of(&DeliveryState::ALL))
}

/// A misspelt condition must not return all deliveries.
fn refuse_unknown(query: Query<'_>, violations: &mut Violations) {
    for parameter in query.named(FILTER) {
        match parameter.segments().as_deref() {
            Some([name]) if NAMES.contains(name) => {}
            Some([name, ..]) if !name.is_empty() && !NAMES.contains(name) => {
                let path = format!("{FILTER}.{name}");
                violations.add_once(&path, Problem::new("is not a field that can be filtered"));
            }
            _ => {
                let problem = Problem::new("must be written as filter[field]");
                violations.add_once(&parameter.path(), problem);
            }
        }
    }
}

fn condition<T>(
    query: Query<'_>,
    name: &str,
    violations: &mut Violations,
    read: impl Fn(&str) -> Result<T, Problem>,
) -> Option<T> {
    let is_filter = |parameter: &Parameter<'_>| parameter.segments().as_deref() == Some(&[name]);
    let mut input = query.named(FILTER).filter(is_filter).chain(query.named(name));
    let parameter = input.next()?;
    if input.next().is_some() {
        violations.add_once(&parameter.path(), Problem::new("must not be given twice"));
        return None;
    }
    if parameter.path().ends_with(&format!(".{name}")) || parameter.segments() == Some(Vec::new()) {
        let value = parameter.value().and_then(|text| read(&text));
        return violations.collect(&parameter.path(), value);
    }
    violations.add_once(&parameter.path(), Problem::new(format!("must be written as {name}")));
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use contact_hub_domain::webhooks::{DeliveriesQuery, DeliveryState};

    use super::FromQuery as _;

    const ID: &str = "01931e3a-7c00-7000-8000-0000000000ab";

    fn refused(raw: &str) -> Vec<String> {
        let violations = DeliveriesQuery::from_query(raw).expect_err(raw);
        violations.iter().map(|(path, _)| path.to_owned()).collect()
    }

    #[test]
    fn accepts_both_syntaxes_of_a_condition() {
        for raw in [
            format!("filter[webhook_id]={ID}&filter%5Bstate%5D=retrying&x=1"),
            format!("webhook_id={ID}&state=retrying"),
        ] {
            let query = DeliveriesQuery::from_query(&raw).expect("valid");
            assert_eq!(query.webhook_id.map(|id| id.to_string()).as_deref(), Some(ID));
            assert_eq!(query.state, Some(DeliveryState::Retrying));
            assert_eq!(query.sync_id, None);
        }
        assert_eq!(DeliveriesQuery::from_query(""), Ok(DeliveriesQuery::default()));
    }

    #[test]
    fn rejects_conditions_that_would_show_too_much() {
        for (raw, path) in [
            ("filter[webhook]=x", "filter.webhook"),
            ("filter[State]=pending", "filter.State"),
            ("filter[state]=done", "filter.state"),
            ("filter[state]=", "filter.state"),
            ("state=done", "state"),
            ("filter[webhook_id]=7", "filter.webhook_id"),
            ("webhook_id=7", "webhook_id"),
            ("sync_id=", "sync_id"),
            ("filter=state", "filter"),
            ("filter[]=state", "filter"),
            ("filter[state", "filter"),
            ("filter[state][=]=pending", "filter.state.="),
            ("state[]=pending", "state"),
            ("state[x]=pending", "state.x"),
            ("state=pending&state=retrying", "state"),
            ("filter[state]=pending&state=pending", "filter.state"),
            ("page[size]=0", "page.size"),
            ("sort[]=state", "sort.0"),
        ] {
            assert_eq!(refused(raw), [path], "{raw}");
        }
    }

    proptest! {
        #[test]
        fn any_query_is_parsed_or_rejected(raw in "[filter\\[\\]=&%5BDstaewbhook_id!]{0,60}") {
            let _ = DeliveriesQuery::from_query(&raw);
        }
    }
}
