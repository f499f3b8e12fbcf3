//! Accessibility violations that axe-core finds on a page.

use std::sync::LazyLock;

use serde_json::Value;

use crate::person::Person;
use crate::target;

/// The script of axe-core, in the version that `cargo xtask browser` installs.
static AXE: LazyLock<String> = LazyLock::new(|| {
    let path = target().join("axe-core/node_modules/axe-core/axe.min.js");
    let text = std::fs::read_to_string(&path);
    text.unwrap_or_else(|error| panic!("axe-core: {error}; `cargo xtask browser` installs it"))
});

/// All rules, including best practices. The content of a sandboxed frame is not checked, since it is not ours.
const RUN: &str = "
    const done = arguments[arguments.length - 1];
    axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(
        ({ violations }) => done(violations.map(({ id, help, nodes }) => [id, help, nodes.map(({ html, any }) => [html, any[0]?.message])])),
        (error) => done(String(error)));
";

/// The violations, each with its location; an empty list if there are none.
pub(crate) async fn violations(person: &Person) -> Value {
    let is_there = person.js("return typeof axe === 'object'").await.unwrap();
    if is_there != true {
        person.js(&AXE).await.unwrap();
    }
    person.driver().execute_async(RUN, Vec::new()).await.unwrap().json().clone()
}
