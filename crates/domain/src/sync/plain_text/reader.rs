//! The effect of each tag of a document on its text.

use html5gum::StartTag;

use super::layout::Layout;

/// Reads tags and text in their order.
#[derive(Default)]
pub(super) struct Reader {
    layout: Layout,
    /// The hidden element: its name, and how often it is open.
    hidden: Option<(Vec<u8>, usize)>,
    link: Option<Link>,
    /// The numbers of the open lists' last items; `None` for a list without numbers.
    lists: Vec<Option<u64>>,
    preformatted: usize,
}

/// An open link: its address, and the length of the text where it began.
struct Link {
    address: String,
    start: usize,
}

impl Reader {
    pub(super) fn open(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth += usize::from(hidden == name);
            return;
        }
        if is_hidden(tag) {
            self.hidden = Some((name.to_vec(), 1));
            return;
        }
        match name {
            b"a" => self.open_link(&attribute(tag, b"href").unwrap_or_default()),
            b"img" => self.text(&attribute(tag, b"alt").unwrap_or_default()),
            b"br" => self.layout.end_line(),
            b"td" | b"th" => self.layout.space(),
            b"hr" => self.rule(),
            b"li" => self.item(),
            b"ul" => self.list(None),
            b"ol" => self.list(Some(0)),
            b"pre" => {
                self.layout.begin_paragraph();
                self.preformatted += 1;
            }
            name => self.block(name),
        }
    }

    pub(super) fn close(&mut self, name: &[u8]) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth -= usize::from(hidden == name);
            if *depth == 0 {
                self.hidden = None;
            }
            return;
        }
        match name {
            b"a" => self.close_link(),
            b"ul" | b"ol" => {
                self.lists.pop();
                self.block(name);
            }
            b"pre" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.layout.begin_paragraph();
            }
            name => self.block(name),
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.hidden.is_some() {
        } else if self.preformatted > 0 {
            self.layout.add_preformatted(text);
        } else {
            self.layout.add(text);
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.close_link();
        let text = self.layout.finish();
        text.trim().to_owned()
    }

    fn block(&mut self, name: &[u8]) {
        match name {
            b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"blockquote" | b"dl"
            | b"table" | b"ul" | b"ol" | b"figure" | b"fieldset" => {
                // A list inside of a list continues it.
                if self.lists.is_empty() {
                    self.layout.begin_paragraph();
                } else {
                    self.layout.begin_line();
                }
            }
            b"address" | b"article" | b"aside" | b"body" | b"caption" | b"center" | b"dd"
            | b"details" | b"div" | b"dt" | b"figcaption" | b"footer" | b"form" | b"header"
            | b"html" | b"li" | b"main" | b"nav" | b"option" | b"section" | b"summary"
            | b"tbody" | b"tfoot" | b"thead" | b"tr" => self.layout.begin_line(),
            _ => {}
        }
    }

    fn rule(&mut self) {
        self.layout.begin_paragraph();
        self.layout.add("---");
        self.layout.begin_paragraph();
    }

    fn list(&mut self, number: Option<u64>) {
        self.block(b"ul");
        self.lists.push(number);
    }

    fn item(&mut self) {
        self.layout.begin_line();
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                let mark = format!("{number}.");
                self.layout.add(&mark);
            }
            _ => self.layout.add("-"),
        }
        self.layout.space();
    }

    /// A link inside of a link ends the outer one.
    fn open_link(&mut self, address: &str) {
        self.close_link();
        let address = address.trim();
        let leads_somewhere = !address.is_empty()
            && !address.starts_with('#')
            && !address.to_ascii_lowercase().starts_with("javascript:");
        self.link =
            leads_somewhere.then(|| Link { address: address.to_owned(), start: self.layout.len() });
    }

    fn close_link(&mut self) {
        let Some(Link { address, start }) = self.link.take() else { return };
        let shown = self.layout.since(start).trim();
        if shown != address && format!("mailto:{shown}") != address {
            self.layout.space();
            self.layout.add(&format!("({address})"));
        }
    }
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let value = tag.attributes.get(name)?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// Elements that are not shown, and those that their style hides. The latter only if their end tag cannot be omitted;
/// otherwise all that follows would be hidden too.
fn is_hidden(tag: &StartTag<()>) -> bool {
    match tag.name.as_slice() {
        b"script" | b"style" | b"title" | b"template" | b"iframe" | b"noembed" | b"noscript"
        | b"textarea" | b"select" | b"svg" | b"audio" | b"video" => !tag.self_closing,
        b"div" | b"span" => {
            let style = attribute(tag, b"style").unwrap_or_default().to_ascii_lowercase();
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
            tag.attributes.contains_key(b"hidden".as_slice()) || style.contains("display:none")
        }
        _ => false,
    }
}
