//! Compares a graph of crates with the rules. It does not know cargo.

use super::rules::{
    DOMAIN, DOMAIN_NEVER, DOMAIN_USES, DOMAIN_USES_OPTIONALLY, LAYERS, Layer, MayUse, PLACES,
};

/// A dependency between two crates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The dependent crate.
    pub(crate) from: String,
    /// The crate that it depends on.
    pub(crate) to: String,
    /// Whether the dependency is in this workspace.
    pub(crate) internal: bool,
    /// Whether it is optional.
    pub(crate) optional: bool,
}

/// The crates of the workspace and their dependencies.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The crates of the workspace.
    pub(crate) members: Vec<String>,
    /// Their dependencies, inside and outside the workspace.
    pub(crate) edges: Vec<Edge>,
    /// All direct and indirect dependencies of the domain, with its default features.
    pub(crate) domain_tree: Vec<String>,
}

/// Every violation, one line each.
pub(crate) fn violations(graph: &Graph) -> Vec<String> {
    let strangers = graph.members.iter().filter(|member| layer(member).is_none());
    let strangers = strangers.map(|member| format!("{member} has no layer; add it to the rules"));
    let edges = graph.edges.iter().filter_map(|edge| {
        let why = if edge.internal { internal(edge) } else { external(edge) }?;
        Some(format!("{} -> {}: {why}", edge.from, edge.to))
    });
    let deep = graph.domain_tree.iter().filter(|name| never_in_domain(name));
    let deep = deep.map(|name| format!("{DOMAIN} -> ... -> {name}: never in the domain's tree"));
    strangers.chain(edges).chain(deep).collect()
}

fn layer(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

/// Why a dependency within the workspace is forbidden, if it is.
fn internal(edge: &Edge) -> Option<&'static str> {
    match layer(&edge.from)?.may_use {
        MayUse::Anything => None,
        MayUse::Only(names) if names.contains(&edge.to.as_str()) => None,
        MayUse::Only(_) => Some("the architecture does not allow this dependency"),
    }
}

/// Why a dependency on an external crate is forbidden, if it is.
fn external(edge: &Edge) -> Option<&'static str> {
    let (from, to) = (edge.from.as_str(), edge.to.as_str());
    if from == DOMAIN && !DOMAIN_USES.contains(&to) {
        return match (DOMAIN_USES_OPTIONALLY.contains(&to), edge.optional) {
            (true, true) => None,
            (true, false) => Some("the domain may use it only behind a feature"),
            (false, _) => Some("not on the domain's list"),
        };
    }
    let place = PLACES.iter().find(|place| place.name == to)?;
    (!place.only_in.contains(&from)).then_some("only other crates may use it")
}

fn never_in_domain(name: &str) -> bool {
    DOMAIN_NEVER.iter().any(|never| match never.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *never,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: &str, to: &str) -> Edge {
        let internal = layer(to).is_some();
        Edge { from: from.to_owned(), to: to.to_owned(), internal, optional: false }
    }

    fn found(edges: Vec<Edge>) -> Vec<String> {
        violations(&Graph { edges, ..Graph::default() })
    }

    #[test]
    fn arrows_towards_the_domain_are_allowed() {
        let edges = vec![
            edge("contact-hub-web", DOMAIN),
            edge("contact-hub-storage", "diesel"),
            edge("contact-hub", "contact-hub-sender"),
            edge("contact-hub-tests", "contact-hub-web"),
            edge(DOMAIN, "uuid"),
        ];
        assert_eq!(found(edges), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_between_adapters_is_reported() {
        let edges = vec![edge("contact-hub-web", "contact-hub-storage")];
        let expected = "contact-hub-web -> contact-hub-storage: the architecture does not allow this dependency";
        assert_eq!(found(edges), [expected]);
    }

    #[test]
    fn an_arrow_out_of_the_domain_is_reported() {
        assert_eq!(found(vec![edge(DOMAIN, "contact-hub-storage")]).len(), 1);
        let unknown = found(vec![edge(DOMAIN, "rand")]);
        assert_eq!(unknown, ["contact-hub-domain -> rand: not on the domain's list"]);
    }

    #[test]
    fn the_domain_may_use_mocks_only_behind_a_feature() {
        assert_eq!(found(vec![edge(DOMAIN, "mockall")]).len(), 1);
        let optional = Edge { optional: true, ..edge(DOMAIN, "mockall") };
        assert_eq!(found(vec![optional]), Vec::<String>::new());
    }

    #[test]
    fn a_crate_out_of_its_place_is_reported() {
        let edges = vec![edge("contact-hub-web", "diesel"), edge("contact-hub-storage", "anyhow")];
        assert_eq!(found(edges).len(), 2);
    }

    #[test]
    fn a_runtime_deep_in_the_domains_tree_is_reported() {
        let names = ["url", "actix-rt", "tokio", "tokio-macros"];
        let domain_tree = names.map(str::to_owned).to_vec();
        let found = violations(&Graph { domain_tree, ..Graph::default() });
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_crate_without_a_layer_is_reported() {
        let members = vec![DOMAIN.to_owned(), "contact-hub-mailer".to_owned()];
        let found = violations(&Graph { members, ..Graph::default() });
        assert_eq!(found, ["contact-hub-mailer has no layer; add it to the rules"]);
    }
}
