//! `GET /contacts`: filters on text, in every syntax, and which ones are rejected.

use super::people::{Person, found, with_people};

const PEOPLE: [Person; 7] = [
    ("ann@example.com", "Ann", "Adams"),
    ("Bob@Example.com", "bob", "Baker"),
    ("carl@example.org", "ÇARL", "adams, jr"),
    ("dora_x%y@example.net", "Dora", "50% Zed"),
    ("eve@example.com", "Éve", r"back\slash"),
    ("fay@exämple.de", "Fay", "under_score"),
    ("gus@example.com", "ΣΊΣΥΦΟΣ", "[a]=b&c"),
];

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |all, byte| format!("{all}%{byte:02X}"))
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn every_operator_has_the_same_meaning_in_every_syntax() {
    with_people(&PEOPLE, async |client| {
        for (field, names, value, hits) in [
            ("email", &["=", "eq"][..], "BOB@example.COM", "b"),
            ("email", &["!=", "ne"], "bob@example.com", "acdefg"),
            ("email", &["startsWith"], "DORA_", "d"),
            ("email", &["contains"], "@EXÄMPLE", "f"),
            ("email", &["notContains"], "example.com", "cdf"),
            ("first_name", &[">", "gt"], "bob", "cdefg"),
            ("first_name", &["<", "lt"], "bob", "a"),
            ("last_name", &["between"], "ADAMS,baker", "abce"),
            ("first_name", &["=", "eq"], "çarl", "c"),
            ("first_name", &["=", "eq"], "σίσυφοσ", "g"),
            ("last_name", &["contains"], "%", "d"),
            ("last_name", &["contains"], "_", "f"),
            ("last_name", &["contains"], "\\", "e"),
            ("last_name", &["startsWith"], "50%", "d"),
            ("last_name", &["contains"], "[a]=b&c", "g"),
            ("last_name", &["=", "eq"], "adams", "a"),
            ("last_name", &["startsWith"], "adams", "ac"),
            ("last_name", &["contains"], "s, j", "c"),
        ] {
            for name in names {
                let (name, text) = (encoded(name), encoded(value));
                let pair =
                    format!("filter[{field}][operator]={name}&filter[{field}][value]={text}");
                let encoded_brackets = pair.replace('[', "%5B").replace(']', "%5d");
                let turned = pair.split('&').rev().collect::<Vec<_>>().join("&");
                let short = format!("filter[{field}][{name}]={text}");
                for query in [pair, encoded_brackets, turned, short] {
                    assert_eq!(
                        found(client, &query).await,
                        hits,
                        "{field} {name} {value}: {query}"
                    );
                }
            }
            if names.contains(&"eq") {
                let bare = format!("filter[{field}]={}", encoded(value));
                assert_eq!(found(client, &bare).await, hits, "{bare}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bounds_of_between_may_contain_a_comma() {
    with_people(&PEOPLE, async |client| {
        for (query, hits) in [
            (r"filter[last_name][between]=adams\,%20jr,adams\,%20jr", "c"),
            (r"filter[last_name][between]=adams%5C%2C%20jr%2Cadams%5C%2C%20jr", "c"),
            (r"filter[last_name][between]=back\slash,back\slash", "e"),
            ("filter[last_name][operator]=between&filter[last_name][value]=Adams,Adams", "a"),
            ("filter[last_name][operator]=between&filter[last_name][value][]=adams, jr&filter[last_name][value][]=adams, jr", "c"),
            ("filter[last_name][operator]=between&filter[last_name][value][1]=baker&filter[last_name][value][0]=b", "be"),
            ("filter[last_name][between][]=Adams&filter[last_name][between][]=Adams, JR", "ac"),
            ("filter[last_name][between]=baker,adams", ""),
        ] {
            assert_eq!(found(client, query).await, hits, "{query}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_are_combined_with_and_also_with_the_search() {
    with_people(&PEOPLE, async |client| {
        for (query, hits) in [
            ("filter[email][contains]=example&filter[email][notContains]=.com", "cd"),
            ("filter[email][startsWith]=a&filter[last_name]=adams", "a"),
            ("filter[email][startsWith]=a&filter[last_name]=baker", ""),
            ("filter[first_name][gt]=a&filter[first_name][lt]=e&filter[first_name][ne]=bob", "ad"),
            ("filter[email][operator]=contains&filter[email][value]=example.&filter[email][ne]=eve@example.com", "abcdg"),
            ("filter[last_name][startsWith]=adams&search=org", "c"),
            ("filter[email]=ann@example.com&filter[email][contains]=nn", "a"),
        ] {
            assert_eq!(found(client, query).await, hits, "{query}");
        }
    })
    .await;
}

#[expect(clippy::too_many_lines, reason = "most of it is a table")]
#[tokio::test(flavor = "multi_thread")]
async fn unknown_conditions_are_reported_under_the_parameters_path() {
    with_people(&PEOPLE, async |client| {
        let long = format!("filter[email][contains]={}", "x".repeat(257));
        let twenty = |n: usize| -> String {
            let names =
                ["eq", "ne", "startsWith", "contains", "notContains", "gt", "lt", "between"];
            let fields = ["email", "first_name", "last_name"];
            let all = fields.iter().flat_map(|field| {
                names.iter().map(move |name| format!("filter[{field}][{name}]=a,b"))
            });
            all.take(n).collect::<Vec<_>>().join("&")
        };
        let _sixteen = client.get(&format!("/contacts?{}", twenty(16))).await.expect(200);
        let seventeen = twenty(17);
        for (query, field) in [
            ("filter=x", "filter"),
            ("filter[]=x", "filter"),
            ("filter[email=x", "filter"),
            ("filter[Email]=x", "filter.Email"),
            ("filter[id]=x", "filter.id"),
            ("filter[avatar_url]=x", "filter.avatar_url"),
            ("filter[jobTitle]=x", "filter.jobTitle"),
            ("filter[email][]=x", "filter.email"),
            ("filter[email][like]=x", "filter.email.like"),
            ("filter[email][startswith]=x", "filter.email.startswith"),
            ("filter[email][contains][x]=y", "filter.email.contains.x"),
            ("filter[email]=", "filter.email"),
            ("filter[email]", "filter.email"),
            ("filter[email][ne]=", "filter.email.ne"),
            ("filter[email][between]=", "filter.email.between"),
            ("filter[email][between]=a", "filter.email.between"),
            ("filter[email][between]=,b", "filter.email.between"),
            ("filter[email][between]=a,b,c", "filter.email.between"),
            (r"filter[email][between]=a\,b", "filter.email.between"),
            ("filter[email][operator]=eq", "filter.email.operator"),
            ("filter[email][value]=x", "filter.email.value"),
            ("filter[email][operator]=&filter[email][value]=x", "filter.email.operator"),
            ("filter[email][operator]=like&filter[email][value]=x", "filter.email.operator"),
            ("filter[email][operator]=gte&filter[email][value]=x", "filter.email.operator"),
            ("filter[email][operator]=eq&filter[email][value]=", "filter.email.value"),
            (
                "filter[email][operator]=eq&filter[email][value][]=a&filter[email][value][]=b",
                "filter.email.value",
            ),
            ("filter[email]=a&filter[email][operator]=ne&filter[email][value]=b", "filter.email"),
            ("filter[email]=a&filter[email]=a", "filter.email"),
            ("filter[email]=a&filter[email][eq]=b", "filter.email.eq"),
            ("filter[email][gt]=a&filter[email][%3E]=b", "filter.email.>"),
            (
                "filter[email][operator]=ne&filter[email][value]=a&filter[email][!=]=b",
                "filter.email.!=",
            ),
            ("filter[email]=%FF", "filter.email"),
            ("filter[email]=a%00", "filter.email"),
            (&long, "filter.email.contains"),
            (&seventeen, "filter"),
        ] {
            let answer = client.get(&format!("/contacts?{query}")).await;
            assert_eq!(answer.status, 422, "{query}: {}", answer.text);
            answer.expect_invalid(&[field]);
        }
        let several = "page[size]=0&page[number]=x&sort[]=x&filter[x]=y&filter[email]=&search=%FF";
        let fields = ["page.size", "page.number", "sort.0", "filter.x", "filter.email", "search"];
        client.get(&format!("/contacts?{several}")).await.expect_invalid(&fields);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_name_at_most_a_hundred_parameters() {
    with_people(&PEOPLE, async |client| {
        let query = (0..130).map(|n| format!("filter[x{n}]=y")).collect::<Vec<_>>().join("&");
        let answer = client.get(&format!("/contacts?{query}")).await.expect(422);
        let error = &answer.json["errors"][0];
        assert_eq!(error["meta"].as_object().unwrap().len(), 100);
        assert!(error["details"].as_str().unwrap().contains("30"), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_accepts_256_characters_and_8_terms() {
    with_people(&PEOPLE, async |client| {
        for (search, hits) in [
            ("EXAMPLE+com", "abeg"),
            ("example%E3%80%80ADAMS", "ac"),
            ("%25", ""),
            ("50", "d"),
            ("x%25y", "d"),
            ("_", ""),
            ("under_s", "f"),
            ("%5C", ""),
            ("fa", "f"),
            ("%CF%83", "g"),
            ("k%5Cs", "e"),
            ("%C3%84MPL", "f"),
            ("%CF%83%CE%AF", "g"),
            ("annadams", ""),
            ("ann+adams+example+com+an+a+ad+ple", "a"),
            ("ann+adams+n", ""),
            ("an%22", ""),
            ("*", ""),
            ("NEAR(ann)", ""),
            ("", "abcdefg"),
        ] {
            assert_eq!(found(client, &format!("search={search}")).await, hits, "{search}");
        }
        assert_eq!(found(client, &format!("search=+{}+", "x".repeat(256))).await, "");
        for search in ["a+b+c+d+e+f+g+h+i".to_owned(), "x".repeat(257), "%00".to_owned()] {
            client.get(&format!("/contacts?search={search}")).await.expect_invalid(&["search"]);
        }
    })
    .await;
}
