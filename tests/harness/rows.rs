//! Checks that each row declares the types of its columns, against the values that the databases returned.
//!
//! The declarations are read in the source of `crates/storage`: a struct that derives `QueryableByName` has an attribute
//! `sql_type` on each field. A wrong one need not fail by itself: SQLite converts, and PostgreSQL's bytes of one type may
//! be valid ones of another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use contact_hub_storage::SeenValue;

/// What the values of a declared type are on PostgreSQL, by object id, and on SQLite, by storage class.
const KINDS: [(&str, [&str; 2]); 9] = [
    ("Bool", ["16", "Long"]),
    ("Binary", ["17", "Binary"]),
    ("BigInt", ["20", "Long"]),
    ("SmallInt", ["21", "Long"]),
    ("Integer", ["23", "Long"]),
    ("Text", ["25", "Text"]),
    ("Json", ["114", "Text"]),
    ("Moment", ["1184", "Long"]),
    ("Id", ["2950", "Binary"]),
];

/// The row types, by their paths.
type Declared = BTreeMap<String, DeclaredRow>;

/// A row's declared types by column, and the names of the rows that are embedded in it.
#[derive(Default)]
struct DeclaredRow {
    columns: BTreeMap<String, String>,
    embedded: Vec<String>,
}

/// Values that do not have the type that their row declares, one line for each.
pub(crate) fn misdeclared(seen: &BTreeSet<SeenValue>) -> Vec<String> {
    static DECLARED: OnceLock<Declared> = OnceLock::new();
    let declared = DECLARED.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/storage/src");
        let mut declared = Declared::new();
        read_folder(&source, "contact_hub_storage", &mut declared);
        declared
    });
    seen.iter().filter_map(|value| misdeclaration(declared, value)).collect()
}

fn misdeclaration(declared: &Declared, seen: &SeenValue) -> Option<String> {
    let SeenValue { row, column, kind } = seen;
    if !declared.contains_key(*row) {
        return Some(format!("{row} is declared where {} does not look", module_path!()));
    }
    // A column that the row type does not have is not read.
    let sql_type = sql_type(declared, row, column)?;
    let kinds = KINDS.iter().find(|(name, _)| *name == sql_type.as_str()).map(|(_, kinds)| kinds);
    let is_right = kinds.is_some_and(|kinds| kinds.contains(&kind.as_str()));
    (!is_right).then(|| format!("{row} declares {column} as {sql_type}, but a value is {kind}"))
}

fn sql_type<'a>(declared: &'a Declared, row: &str, column: &str) -> Option<&'a String> {
    let DeclaredRow { columns, embedded } = declared.get(row)?;
    let of_embedded = |name: &String| {
        let path = declared.keys().find(|path| path.rsplit("::").next() == Some(name))?;
        sql_type(declared, path, column)
    };
    columns.get(column).or_else(|| embedded.iter().find_map(of_embedded))
}

fn read_folder(folder: &Path, module: &str, declared: &mut Declared) {
    for entry in std::fs::read_dir(folder).expect("the source").flatten() {
        let path = entry.path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let inner = format!("{module}::{name}");
        if path.is_dir() {
            read_folder(&path, &inner, declared);
        } else {
            let module = if matches!(&*name, "mod" | "lib") { module } else { &inner };
            read_rows(&std::fs::read_to_string(&path).expect("UTF-8"), module, declared);
        }
    }
}

/// Reads the row types of one file.
fn read_rows(source: &str, module: &str, declared: &mut Declared) {
    let rows = source.split("#[derive(").skip(1).filter(|text| {
        text.split_once(")]").is_some_and(|(derived, _)| derived.contains("QueryableByName"))
    });
    for row in rows {
        let (_, rest) = row.split_once("struct ").expect("a struct");
        let (name, rest) = rest.split_once(" {\n").expect("with fields");
        let (fields, _) = rest.split_once("\n}").or(rest.split_once("\n    }")).expect("its end");
        let mut row = DeclaredRow::default();
        for field in fields.split("#[diesel(").skip(1) {
            let (attribute, rest) = field.split_once(")]").expect("an attribute");
            let (before, field_type) = rest.split_once(": ").expect("a field");
            if attribute == "embed" {
                let embedded = field_type.split(',').next().expect("a type");
                row.embedded.push(embedded.to_owned());
                continue;
            }
            let sql_type = attribute.rsplit("sql_type = ").next().expect("a type");
            let sql_type = sql_type.trim_start_matches("Nullable<").trim_end_matches('>');
            let column = match attribute.strip_prefix("column_name = \"") {
                Some(name) => name.split('"').next().expect("a name"),
                None => before.rsplit(' ').next().expect("a name").trim(),
            };
            row.columns.insert(column.to_owned(), sql_type.to_owned());
        }
        declared.insert(format!("{module}::{name}"), row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#[derive(QueryableByName)]\nstruct Inner {\n    #[diesel(sql_type = Nullable<Text>)]\n    \
        name: Option<String>,\n}\n\n#[derive(Debug, QueryableByName)]\npub(super) struct Outer {\n    \
        #[diesel(embed)]\n    inner: Inner,\n    /// Its id.\n    #[diesel(sql_type = Id)]\n    pub(super) id: IdValue,\n}\n";

    #[test]
    fn a_value_whose_type_differs_from_the_declared_one_is_found() {
        let mut declared = Declared::new();
        read_rows(SOURCE, "storage", &mut declared);
        let found = |column: &str, kind: &str| {
            let (column, kind) = (column.to_owned(), kind.to_owned());
            misdeclaration(&declared, &SeenValue { row: "storage::Outer", column, kind }).is_some()
        };
        for (column, kind) in [("id", "2950"), ("id", "Binary"), ("name", "25"), ("name", "Text")] {
            assert!(!found(column, kind), "{column} {kind}");
        }
        for (column, kind) in [("id", "25"), ("id", "Text"), ("name", "2950"), ("name", "Long")] {
            assert!(found(column, kind), "{column} {kind}");
        }
    }
}
