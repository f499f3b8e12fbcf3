//! Our Markdown as HTML, by `CommonMark` and with the tables of GitHub.

use std::collections::HashSet;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A document.
pub(super) struct Guide {
    /// Its first heading.
    pub(super) title: String,
    /// The ids and texts of the headings below it.
    pub(super) sections: Vec<(String, String)>,
    /// What follows the title.
    pub(super) html: String,
}

impl Guide {
    /// Links to files of the repository lose their address, since the service does not serve them.
    pub(super) fn of(markdown: &str) -> Self {
        let events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
        let mut guide = Self { title: String::new(), sections: Vec::new(), html: String::new() };
        let (mut ids, mut kept, mut is_served) = (HashSet::new(), Vec::new(), true);
        let mut rest = events.into_iter();
        while let Some(event) = rest.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let inside: Vec<Event<'_>> =
                        rest.by_ref().take_while(|it| !is_end_of_heading(it)).collect();
                    guide.add_heading(level, inside, &mut ids, &mut kept);
                }
                Event::Start(Tag::Link { ref dest_url, .. }) => {
                    is_served = dest_url.starts_with('#') || dest_url.starts_with("https://");
                    kept.extend(is_served.then_some(event));
                }
                Event::End(TagEnd::Link) => kept.extend(is_served.then_some(event)),
                event => kept.push(event),
            }
        }
        html::push_html(&mut guide.html, kept.into_iter());
        guide.html = scrolled_by_keys(&guide.html);
        guide
    }

    fn add_heading<'a>(
        &mut self,
        level: HeadingLevel,
        inside: Vec<Event<'a>>,
        ids: &mut HashSet<String>,
        kept: &mut Vec<Event<'a>>,
    ) {
        let text = text_of(&inside);
        if level == HeadingLevel::H1 {
            self.title = text;
            return;
        }
        let id = free_id(&text, ids);
        if level == HeadingLevel::H2 {
            self.sections.push((id.clone(), text));
        }
        let id = Some(CowStr::from(id));
        let start = Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() };
        kept.push(Event::Start(start));
        kept.extend(inside);
        kept.push(Event::End(TagEnd::Heading(level)));
    }
}

/// Makes everything that can be wider than the page scrollable from the keyboard.
fn scrolled_by_keys(html: &str) -> String {
    html.replace("<pre>", "<pre tabindex=\"0\">")
        .replace(
            "<table>",
            "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>",
        )
        .replace("</table>", "</table></div>")
}

const fn is_end_of_heading(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn text_of(inside: &[Event<'_>]) -> String {
    let texts = inside.iter().filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}

/// The id that `GitHub` gives a heading: its letters and digits in lower case, and a number when there are several.
fn free_id(heading: &str, taken: &mut HashSet<String>) -> String {
    let letters = heading.to_lowercase();
    let letters =
        letters.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    let base: String = letters.map(|it| if it == ' ' { '-' } else { it }).collect();
    let numbered = (1..).map(|number| format!("{base}-{number}"));
    let free = std::iter::once(base.clone()).chain(numbered).find(|id| !taken.contains(id));
    let id = free.unwrap_or(base);
    taken.insert(id.clone());
    id
}

#[cfg(test)]
mod tests {
    use super::Guide;

    #[test]
    fn headings_have_the_ids_that_links_use() {
        let guide =
            Guide::of("# A title\n\n[see](#in-go-1)\n\n## One & two\n\n### In Go\n\n### In `Go`\n");
        assert_eq!(guide.title, "A title");
        assert_eq!(guide.sections, [("one--two".to_owned(), "One & two".to_owned())]);
        assert!(guide.html.contains("<h2 id=\"one--two\">One &amp; two</h2>"), "{}", guide.html);
        assert!(
            guide.html.contains("<h3 id=\"in-go-1\">In <code>Go</code></h3>"),
            "{}",
            guide.html
        );
        assert!(guide.html.contains("<a href=\"#in-go-1\">see</a>") && !guide.html.contains("<h1"));
    }

    #[test]
    fn files_of_the_repository_are_not_linked() {
        let guide = Guide::of("[the *code*](../crates/x.rs), [a site](https://a.example/)\n");
        let expected = "<p>the <em>code</em>, <a href=\"https://a.example/\">a site</a></p>\n";
        assert_eq!(guide.html, expected);
    }

    #[test]
    fn every_link_of_the_guide_leads_to_a_heading() {
        let guide = Guide::of(include_str!("../../../../../docs/integrating.md"));
        let links = guide.html.split("href=\"#").skip(1).filter_map(|it| it.split('"').next());
        for id in links {
            assert!(guide.html.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }
}
