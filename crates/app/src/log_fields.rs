//! The fields of an event, written straight into the JSON object of its line: a line is logged for each request, and a map
//! of the fields would be built for each.

use std::fmt::Debug;

use json_subscriber::FieldWriter;
use serde::Serialize;
use tracing::Event;
use tracing::field::{Field, Visit};

/// Writes the fields of an event as members of the object.
pub(crate) fn write(event: &Event<'_>, members: &mut FieldWriter<'_>) {
    event.record(&mut Members(members));
}

struct Members<'a, 'object>(&'a mut FieldWriter<'object>);

impl Members<'_, '_> {
    /// A value that cannot be written is left out.
    fn write(&mut self, field: &Field, value: impl Serialize) {
        self.0.write_field(field.name(), value).ok();
    }
}

impl Visit for Members<'_, '_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.write(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.write(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.write(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.write(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.write(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.write(field, format_args!("{value:?}"));
    }
}
