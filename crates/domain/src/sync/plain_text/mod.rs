//! The plain text of an HTML document, for assets without a given text.
//!
//! The document is read as a stream of tags and text, without a tree, so time and memory are linear in its length,
//! however deep it is nested. Links keep their addresses, pictures their alternative text, lists their marks. Merge
//! tags in visible text stay whole.

mod layout;
mod reader;
mod stand_ins;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use reader::Reader;
use stand_ins::StandIns;

/// The text of an HTML document.
#[must_use]
pub fn plain_text(html: &str) -> String {
    let stand_ins = StandIns::of(html);
    let mut emitter = DefaultEmitter::default();
    // Otherwise the text of scripts and styles would be read as tags.
    emitter.naively_switch_states(true);
    let mut reader = Reader::default();
    for token in Tokenizer::new_with_emitter(stand_ins.html(), emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => reader.open(&tag),
            Token::EndTag(tag) => reader.close(&tag.name),
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    stand_ins.put_back(&reader.finish())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::plain_text;
    use crate::sync::tags;

    #[test]
    fn keeps_visible_text() {
        for (html, text) in [
            ("", ""),
            ("Hello", "Hello"),
            ("<p>Hello <b>Ann</b>,</p>\n\n<p>good\n  day</p>", "Hello Ann,\n\ngood day"),
            ("a<br>b<br/>c<div>d</div>e", "a\nb\nc\nd\ne"),
            ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
            ("5 &lt; 6 &amp; caf&eacute;&nbsp;&#x1F382;", "5 < 6 & café 🎂"),
            ("<ul><li>a<li>b</ul><ol><li>c</li><li>d</li></ol>", "- a\n- b\n\n1. c\n2. d"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "a b\nc"),
            ("<pre>a\n  b</pre>", "a\n  b"),
            ("<img src=x alt='A  cake'>", "A cake"),
            ("a\u{200b}b\u{feff}", "ab"),
        ] {
            assert_eq!(plain_text(html), text, "{html}");
        }
    }

    #[test]
    fn omits_invisible_text() {
        for html in [
            "<head><title>x</title><style>p{}</style></head>A",
            "<script>if (a < b) { '<p>x</p>' }</script>A",
            "<!-- x -->A<!--[if mso]><p>x</p><![endif]-->",
            "<div style='color: red; DISPLAY : none'>x<div>y</div></div>A",
            "<span hidden>x</span>A",
            "<template><p>x</p></template>A",
            "A<style>x",
        ] {
            assert_eq!(plain_text(html), "A", "{html}");
        }
    }

    #[test]
    fn links_keep_their_addresses() {
        for (html, text) in [
            ("<a href='https://a.example/?x=1&amp;y'>Go</a>.", "Go (https://a.example/?x=1&y)."),
            ("<a href='https://a.example'>https://a.example</a>", "https://a.example"),
            ("<a href='https://a.example'><img alt='Shop'></a>", "Shop (https://a.example)"),
            ("<a href='https://a.example'><img></a>", "(https://a.example)"),
            (
                "<a href='#top'>Up</a> <a name=x>Here</a> <a href='javascript:x()'>No</a>",
                "Up Here No",
            ),
            (
                "<a href=' https://a.example\n'>A<a href='https://b.example'>B",
                "A (https://a.example)B (https://b.example)",
            ),
            ("<a href='{{unsubscribe_url}}'>Leave</a>", "Leave ({{unsubscribe_url}})"),
        ] {
            assert_eq!(plain_text(html), text, "{html}");
        }
    }

    #[test]
    fn merge_tags_stay_whole() {
        for (html, text) in [
            ("<p>Hi {{first_name|my  friend}}!</p>", "Hi {{first_name|my  friend}}!"),
            ("Hi {{ first_name|a <b> c }}", "Hi {{ first_name|a <b> c }}"),
            ("{{first_name|Tom &amp; Jerry}}", "{{first_name|Tom & Jerry}}"),
            ("{{first_name|&#125;&#125;}}", "{{first_name|&#125;&#125;}}"),
            ("{{first_name|</p>}}<p title='{{email}}'>x", "{{first_name|</p>}}\n\nx"),
            ("\u{fdd0}0\u{fdd1}{{email}}", "0{{email}}"),
            ("{{unknown}} {{{first_name}}}", "{{unknown}} {{{first_name}}}"),
            ("{{email|x}}&#xfdd0;0&#xfdd1;&#64976;0&#64977;", "{{email|x}}"),
        ] {
            assert_eq!(plain_text(html), text, "{html}");
        }
    }

    #[test]
    fn hostile_documents_are_converted_within_the_time_limit() {
        let started = Instant::now();
        let deep = |tag: &str| format!("<{tag}>").repeat(100_000);
        for html in [
            "<".repeat(2 << 20),
            "&".repeat(2 << 20),
            "<a href='x'>".repeat(100_000),
            "<!--".repeat(500_000),
            "{{email|".repeat(250_000),
            "<x ".repeat(500_000),
            deep("div") + &"</div>".repeat(100_000),
            deep("table"),
            deep("ol") + &deep("li"),
            deep("div hidden"),
            deep("pre"),
        ] {
            let text = plain_text(&html);
            assert!(text.len() <= 2 * html.len());
        }
        assert!(started.elapsed() < Duration::from_mins(1), "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn the_text_of_any_document_is_trimmed(html in "([<>/&;=\"' \n]|p|a href|style|script|li|pre|!--|\\PC){0,80}") {
            let text = plain_text(&html);
            prop_assert_eq!(text.trim(), text.as_str());
        }

        #[test]
        fn every_visible_tag_is_kept(
            before in "[a-z <>&]{0,10}",
            tag in "\\{\\{(first_name|field:a|email)(\\|[a-z<>&;\"' ]{0,10})?\\}\\}",
        ) {
            let html = format!("<p>{}</p>{tag}<i>x</i>", before.replace(['<', '&'], ""));
            prop_assert_eq!(tags(&plain_text(&html)), tags(&html));
        }
    }
}
