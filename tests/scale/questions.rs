//! The queries of lists, by class, with the limit for the median of each.

/// A list of contacts.
pub(crate) struct Question {
    /// What it shows.
    pub(crate) class: &'static str,
    /// In the syntax of the interface.
    pub(crate) query: &'static str,
    /// The page's offset as a share of the matches, in per mille; the page's number follows from it.
    pub(crate) far: u64,
    /// The limit in milliseconds.
    pub(crate) mark: f64,
}

const fn first(class: &'static str, query: &'static str, mark: f64) -> Question {
    Question { class, query, far: 0, mark }
}

const fn far(class: &'static str, query: &'static str, far: u64, mark: f64) -> Question {
    Question { class, query, far, mark }
}

/// The first page should cost as much as any page, and the total no more than a count along an index.
pub(crate) const QUESTIONS: [Question; 45] = [
    first("no condition", "", 150.0),
    first("no condition", "sort[]=-created_at", 150.0),
    first("no condition", "sort[]=last_name&sort[]=-created_at", 150.0),
    far("last page", "sort[]=email", 1000, 150.0),
    first("one person", "filter[email]=nobody@example.com", 150.0),
    first("one person", "search=anna.smith.12345", 150.0),
    first("rare name", "search=wenwenwen", 150.0),
    first("two terms", "search=anna+smith&sort[]=-last_name", 150.0),
    first("two terms", "search=olga+virtanen&sort[]=email", 150.0),
    first("common term", "search=smith", 500.0),
    first("common term", "search=anna&sort[]=-email", 500.0),
    first("common term", "search=example.org", 500.0),
    first("number", "search=.4321@", 150.0),
    first("one character and a domain", "search=a@example.org", 2000.0),
    first("one character and a domain", "search=1@example.org", 2000.0),
    first("short term, no hit", "search=qx", 150.0),
    first("short term, no hit", "search=xq&sort[]=last_name", 150.0),
    first("short term, one character", "search=%E5%BE%90", 150.0),
    first("short term, one character", "search=%EA%B9%80&sort[]=-email", 150.0),
    first("short term, common", "search=a", 500.0),
    first("short term, common", "search=jo&sort[]=last_name", 500.0),
    first("short and long term", "search=jo+smith", 500.0),
    first("two short terms", "search=a+s", 5000.0),
    first("two short terms", "search=jo+sm&sort[]=-email", 500.0),
    first("contains, short", "filter[email][contains]=z@", 2000.0),
    first("contains, short", "filter[last_name][contains]=qx", 2000.0),
    first("contains", "filter[email][contains]=smith", 500.0),
    first("range of a name", "filter[last_name][startsWith]=smi&sort[]=first_name", 500.0),
    first("range of a name", "filter[last_name][between]=s,t&sort[]=-created_at", 500.0),
    first("unlike a name", "filter[last_name][!=]=smith", 2000.0),
    first(
        "two names",
        "filter[first_name][startsWith]=a&filter[last_name][startsWith]=s&sort[]=email",
        500.0,
    ),
    first(
        "two names",
        "filter[first_name][startsWith]=a&filter[last_name][startsWith]=s&sort[]=-email",
        500.0,
    ),
    first("two names", "filter[first_name]=anna&filter[last_name]=smith", 150.0),
    first("half", "filter[updated_at][gt]=2025-04-01", 500.0),
    first("half", "filter[updated_at][gt]=2025-04-01&sort[]=-last_name", 500.0),
    first("half", "filter[created_at][gt]=2024-10-15&sort[]=email", 500.0),
    far("half, far", "filter[updated_at][gt]=2025-04-01&sort[]=last_name", 200, 1000.0),
    far("far, one key", "sort[]=last_name", 100, 150.0),
    far("far, one key", "", 100, 150.0),
    far("far, one key", "", 500, 500.0),
    far("far, one key", "sort[]=email", 500, 500.0),
    far("far, one key", "sort[]=-first_name", 500, 500.0),
    far("far, two keys", "sort[]=last_name&sort[]=first_name", 100, 1000.0),
    far("far, two keys", "sort[]=-first_name&sort[]=-created_at", 100, 1000.0),
    far("far, two keys", "sort[]=email&sort[]=last_name", 500, 2000.0),
];

/// The queries by values of fields, where contacts can be filtered by all of them.
pub(crate) const VALUES: [Question; 24] = [
    first("value", "filter[field:string1]=team 7", 500.0),
    first("value", "filter[field:number2][between]=0,5000", 150.0),
    first("value", "filter[field:number7][exists]=false", 500.0),
    first("value", "filter[field:string6][exists]=false", 150.0),
    far("value, far", "filter[field:number2][between]=0,5000", 500, 5000.0),
    first("two values", "filter[field:number2][lt]=5000&filter[field:boolean5]=true", 5000.0),
    first("two values", "filter[field:number2][lt]=50&filter[field:boolean5]=true", 5000.0),
    first("two values", "filter[field:string6][exists]=false&filter[field:boolean5]=true", 5000.0),
    first(
        "three values",
        "filter[field:number2][lt]=5000&filter[field:boolean5]=false&filter[field:string6][exists]=true",
        5000.0,
    ),
    first(
        "three values",
        "filter[field:number2][lt]=5000&filter[field:boolean5]=false&filter[field:number7][exists]=false",
        5000.0,
    ),
    first("value and name", "filter[field:boolean5]=true&filter[last_name][startsWith]=s", 5000.0),
    first(
        "value and time",
        "filter[field:boolean5]=true&filter[updated_at][gt]=2025-04-01",
        5000.0,
    ),
    first("value and term", "filter[field:boolean5]=true&search=smith", 5000.0),
    first("value and term", "filter[field:boolean5]=true&search=example.org", 5000.0),
    first("by value", "sort[]=field:number2", 150.0),
    first("by value", "filter[field:number2][gt]=5000&sort[]=field:number2", 150.0),
    first("by value", "filter[field:number2][gt]=5000&sort[]=-field:string1", 5000.0),
    far("by value, far", "sort[]=field:number2", 500, 5000.0),
    far("by value, far", "sort[]=field:string6", 900, 5000.0),
    first("by value and name", "sort[]=field:boolean5&sort[]=email", 150.0),
    first("by value and name", "sort[]=-field:string6&sort[]=last_name", 150.0),
    far("by value and name, far", "sort[]=field:boolean5&sort[]=email", 500, 5000.0),
    first(
        "by value and name",
        "filter[field:number2][lt]=5000&sort[]=field:boolean5&sort[]=email",
        5000.0,
    ),
    first("by value and name", "search=smith&sort[]=field:boolean5&sort[]=email", 5000.0),
];

/// The same without a total.
pub(crate) const PARTS_BY_VALUES: [Question; 8] = [
    first("part", "filter[field:number2][between]=0,5000", 150.0),
    first("part", "filter[field:number2][lt]=5000&filter[field:boolean5]=true", 150.0),
    first("part", "filter[field:number7][exists]=false", 2000.0),
    first("part", "filter[field:boolean5]=true&search=smith", 2000.0),
    first("part", "sort[]=field:number2", 150.0),
    first("part", "sort[]=field:boolean5&sort[]=email", 150.0),
    first("part", "filter[field:number2][lt]=5000&sort[]=field:boolean5&sort[]=email", 150.0),
    first("part", "search=example.org&sort[]=field:string6&sort[]=-created_at", 2000.0),
];

/// The queries of a small company beside a large one.
pub(crate) const NEIGHBOUR: [Question; 6] = [
    first("neighbour", "sort[]=last_name", 150.0),
    first("neighbour", "search=.4321@", 150.0),
    first("neighbour", "search=432", 150.0),
    first("neighbour", "search=smith", 150.0),
    first("neighbour", "search=a", 150.0),
    first("neighbour", "filter[updated_at][gt]=2024-01-03", 150.0),
];

/// Queries without a total.
pub(crate) const PARTS: [Question; 8] = [
    first("part", "", 150.0),
    first("part", "sort[]=-last_name&sort[]=email", 150.0),
    first("part", "search=example.org", 150.0),
    first("part", "search=a&sort[]=last_name", 150.0),
    first("part", "filter[last_name][!=]=smith&sort[]=-email", 150.0),
    first("part", "filter[updated_at][gt]=2025-04-01", 150.0),
    first("part", "filter[updated_at][gt]=2025-04-01&sort[]=-last_name", 150.0),
    first(
        "part",
        "filter[first_name][startsWith]=a&filter[last_name][startsWith]=s&sort[]=email",
        500.0,
    ),
];
