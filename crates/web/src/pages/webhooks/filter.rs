//! The filter of the list of deliveries, which is in the address.

use contact_hub_domain::ids::DeliveryId;
use contact_hub_domain::time::Timestamp;
use contact_hub_domain::webhooks::{DeliveriesQuery, DeliverySearch, DeliveryState, EventKind};

use super::delivery_row::in_words;
use super::names::WebhookNames;
use crate::error::ApiError;
use crate::extract::query::FromQuery as _;
use crate::pages::address::Address;
use crate::pages::moment::Moment;

/// The list.
pub(super) const PATH: &str = "/admin/integrations/webhooks/deliveries";

/// The parameters of the filter.
pub(super) const STATE: &str = "filter[state]";
pub(super) const WEBHOOK: &str = "filter[webhook_id]";
const BEFORE: &str = "before";
const SYNC: &str = "filter[sync_id]";
pub(super) const ID: &str = "id";
pub(super) const EVENT: &str = "event";
pub(super) const FROM: [&str; 2] = ["from", "from_local"];
pub(super) const TO: [&str; 2] = ["to", "to_local"];

/// The address without empty fields, and what it searches for.
pub(super) struct Filter {
    pub(super) address: Address,
    pub(super) search: DeliverySearch,
    /// What is wrong with a field, by its parameter.
    pub(super) problems: Vec<(&'static str, &'static str)>,
}

/// A part of the filter that is set.
pub(super) struct Chip {
    /// Its text.
    pub(super) label: String,
    /// A moment that belongs to it.
    pub(super) moment: Option<Moment>,
    /// The list without it.
    pub(super) remove: String,
}

impl Filter {
    /// Reads the query of an address. An error of a parameter that no field of the page sets is returned.
    pub(super) fn read(query: &str) -> Result<Self, ApiError> {
        let given = Address::of(query);
        let address = given.without(|name| given.get(name).trim().is_empty());
        let query = DeliveriesQuery::from_query(address.href("").trim_start_matches('?'))?;
        let mut filter = Self {
            address,
            search: DeliverySearch { query, ..DeliverySearch::default() },
            problems: Vec::new(),
        };
        filter.search.id = filter
            .value(ID, "Enter a whole id.", |text| DeliveryId::parse(text).map(DeliveryId::uuid));
        filter.search.kind = filter.value(EVENT, "Choose an event.", EventKind::parse);
        filter.search.before = filter.value(BEFORE, "Enter a whole id.", DeliveryId::parse);
        filter.search.from = filter.moment(FROM);
        filter.search.to = filter.moment(TO);
        Ok(filter)
    }

    fn value<T>(
        &mut self,
        name: &'static str,
        problem: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.address.get(name).trim();
        if text.is_empty() {
            return None;
        }
        let value = read(text);
        if value.is_none() {
            self.problems.push((name, problem));
        }
        value
    }

    /// A moment as the script wrote it from the visitor's zone, or as it was typed where no script ran, which is in UTC.
    fn moment(&mut self, [name, local]: [&'static str; 2]) -> Option<Timestamp> {
        let read = |text: &str| Timestamp::parse(text).ok().map(|parsed| parsed.at);
        if !self.address.get(name).is_empty() {
            return self.value(name, "Choose a date and time.", read);
        }
        self.value(local, "Choose a date and time.", |text| read(&format!("{text}:00Z")))
    }

    /// What is wrong with a field.
    pub(super) fn problem(&self, name: &str) -> Option<&'static str> {
        self.problems.iter().find(|(known, _)| *known == name).map(|(_, problem)| *problem)
    }

    /// What is filtered, each with the list without it.
    pub(super) fn chips(&self, names: &WebhookNames) -> Vec<Chip> {
        let search = &self.search;
        let DeliveriesQuery { webhook_id, sync_id, state, .. } = search.query;
        let texts = [
            (ID, search.id.map(|id| format!("ID {id}"))),
            (WEBHOOK, webhook_id.map(|id| format!("Webhook {}", names.name(id)))),
            (SYNC, sync_id.map(|id| format!("Sync {id}"))),
            (STATE, state.map(|state| format!("State {}", in_words(state).0))),
            (EVENT, search.kind.map(|kind| format!("Event {}", kind.as_str()))),
        ];
        let texts = texts.into_iter().filter_map(|(name, label)| {
            Some(Chip { label: label?, moment: None, remove: self.without(&[name, bare(name)]) })
        });
        let moments = [(FROM, "From", search.from), (TO, "Before", search.to)];
        let moments = moments.into_iter().filter_map(|(names, label, at)| {
            Some(Chip {
                label: label.to_owned(),
                moment: Some(at?.into()),
                remove: self.without(&names),
            })
        });
        texts.chain(moments).collect()
    }

    fn without(&self, names: &[&str]) -> String {
        let others = self.address.on_first_page();
        others.without(|name| name == BEFORE || names.contains(&name)).href(PATH)
    }

    /// The same filter from where a search ended.
    pub(super) fn before(&self, id: DeliveryId) -> String {
        let others = self.address.on_first_page().without(|name| name == BEFORE);
        others.with(BEFORE, &id.to_string()).href(PATH)
    }

    /// The parameters that the form does not set.
    pub(super) fn kept(&self) -> Vec<(String, String)> {
        self.address.without(|name| !matches!(name, SYNC | "sync_id")).pairs().to_vec()
    }
}

/// The other spelling of a parameter.
fn bare(name: &str) -> &str {
    name.trim_start_matches("filter[").trim_end_matches(']')
}

/// The words of every state and event, and whether it is chosen.
pub(super) fn states(search: &DeliverySearch) -> Vec<(&'static str, &'static str, bool)> {
    let chosen = search.query.state;
    DeliveryState::ALL.map(|it| (it.as_str(), in_words(it).0, chosen == Some(it))).into()
}

pub(super) fn events(search: &DeliverySearch) -> Vec<(&'static str, &'static str, bool)> {
    EventKind::ALL.map(|it| (it.as_str(), it.as_str(), search.kind == Some(it))).into()
}
