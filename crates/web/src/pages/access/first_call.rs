//! The first call with a new key, to copy and run.

/// The call in each language. A public URL and a token have no character that the languages quote.
pub(super) fn in_each_language(base: &str, token: &str) -> [(&'static str, String); 3] {
    let url = format!("{base}/api/public/v1/fields");
    let curl = format!("curl -H 'Authorization: Bearer {token}' {url}");
    let javascript = format!(
        "const answer = await fetch(\"{url}\", {{\n  headers: {{ Authorization: \"Bearer {token}\" }},\n}});\n\
         console.log(await answer.json());"
    );
    let python = format!(
        "import json\nfrom urllib.request import Request, urlopen\n\n\
         call = Request(\"{url}\", headers={{\"Authorization\": \"Bearer {token}\"}})\n\
         print(json.load(urlopen(call, timeout=30)))"
    );
    [("curl", curl), ("JavaScript", javascript), ("Python", python)]
}
