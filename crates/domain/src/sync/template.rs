//! Splits a template into merge tags and the text between them.
//!
//! ```text
//! tag      = "{{" space name space [ "|" space fallback space ] "}}"
//! name     = "first_name" / "last_name" / "email" / "field:" key
//!          / "unsubscribe_url" / "view_online_url"
//! key      = 1 to 255 letters, marks and numbers
//! fallback = any text without two like braces in a row that does not end in a brace
//! ```
//!
//! `space` is any white space, or none, and belongs to neither name nor fallback. A fallback of only white space is
//! absent. White space around the colon is not allowed, and case matters. The first `|` separates name and fallback;
//! further ones belong to the fallback. A tag with a third brace on either side is not ours (Handlebars writes raw
//! values like this). It is text, like anything else in double braces.

use std::ops::Range;

use super::merge_tag::MergeTag;

/// A piece of a template. The concatenated texts of the pieces are the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// Text without tags; never empty, and never two in a row.
    Literal(&'a str),
    /// A tag, and its text.
    Tag(MergeTag, &'a str),
}

/// Splits a template in one pass, in linear time.
#[must_use]
pub fn segments(template: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let (mut rest, mut rest_position) = (template, 0);
    for Range { start, end } in pairs(template) {
        let tag = cut(rest, start - rest_position, end - rest_position);
        if let Some((before, tag, raw, after)) = tag {
            segments.extend(literal(before));
            segments.push(Segment::Tag(tag, raw));
            (rest, rest_position) = (after, end);
        }
    }
    segments.extend(literal(rest));
    segments
}

/// The places of the texts in double braces, which may be tags; they do not overlap.
pub(super) fn pairs(template: &str) -> impl Iterator<Item = Range<usize>> {
    let (mut opened, mut position) = (None, 0);
    template.as_bytes().chunk_by(|a, b| same_run(*a, *b)).filter_map(move |run| {
        let start = position;
        position += run.len();
        match run {
            b"{{" => opened = Some(start),
            b"}}" => return opened.take().map(|opened| opened..position),
            [b'{' | b'}', _, ..] => opened = None,
            _ => {}
        }
        None
    })
}

/// The text before the tag that starts and ends at these bytes, the tag, its text, and the text after it.
fn cut(text: &str, start: usize, end: usize) -> Option<(&str, MergeTag, &str, &str)> {
    let (until, after) = text.split_at_checked(end)?;
    let (before, raw) = until.split_at_checked(start)?;
    let inside = raw.strip_prefix("{{")?.strip_suffix("}}")?;
    Some((before, MergeTag::read(inside)?, raw, after))
}

fn literal(text: &str) -> Option<Segment<'_>> {
    (!text.is_empty()).then_some(Segment::Literal(text))
}

/// Equal braces form a run, and so do all other bytes.
const fn same_run(a: u8, b: u8) -> bool {
    match (a, b) {
        (b'{', b'{') | (b'}', b'}') => true,
        (b'{' | b'}', _) | (_, b'{' | b'}') => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Segment, segments};

    /// The tags as `name` or `name|fallback`.
    fn read(template: &str) -> Vec<String> {
        let parts = segments(template);
        let tags = parts.iter().filter_map(|segment| match segment {
            Segment::Literal(_) => None,
            Segment::Tag(tag, _) => Some(match tag.fallback() {
                Some(fallback) => format!("{}|{fallback}", tag.name()),
                None => tag.name().to_string(),
            }),
        });
        tags.collect()
    }

    #[test]
    fn parses_tags() {
        for (template, tag) in [
            ("{{first_name}}", "first_name"),
            ("{{last_name}}", "last_name"),
            ("{{email}}", "email"),
            ("{{field:jobTitle}}", "field:jobTitle"),
            ("{{field:e\u{301}tat2}}", "field:état2"),
            ("{{unsubscribe_url}}", "unsubscribe_url"),
            ("{{view_online_url}}", "view_online_url"),
            ("{{first_name|there}}", "first_name|there"),
            ("{{ \u{a0}first_name\t|\n my  friend }}", "first_name|my  friend"),
            ("{{first_name|}}", "first_name"),
            ("{{first_name| \n}}", "first_name"),
            ("{{first_name|a|b}}", "first_name|a|b"),
            ("{{first_name|{a} b}}", "first_name|{a} b"),
            ("{{first_name|it's \"x\"}}", "first_name|it's \"x\""),
            ("a {{ b {{email}} c }} d", "email"),
            ("{{{x} {{email}}", "email"),
        ] {
            assert_eq!(read(template), [tag], "{template}");
        }
    }

    #[test]
    fn keeps_everything_else() {
        for template in [
            "",
            "{{}}",
            "{{|x}}",
            "{{firstName}}",
            "{{First_Name}}",
            "{{first name}}",
            "{{first_name",
            "first_name}}",
            "{first_name}",
            "{{field:}}",
            "{{field:job.title}}",
            "{{field:job title}}",
            "{{field: jobTitle}}",
            "{{field:jobTitle!}}",
            "{{{first_name}}}",
            "{{{first_name}}",
            "{{first_name}}}",
            "{{{{first_name}}}}",
            "{{first_name|{a}}}",
            "{{first_name|{a} }}",
            "{{first_name|a{}}",
            "{{first_name|{{x}}",
            "{{#if first_name}}",
            "{% first_name %}",
        ] {
            assert_eq!(read(template), [""; 0], "{template}");
            let whole: Vec<_> = super::literal(template).into_iter().collect();
            assert_eq!(segments(template), whole, "{template}");
        }
        assert_eq!(read(&format!("{{{{field:{}}}}}", "a".repeat(256))), [""; 0]);
    }

    #[test]
    fn hostile_braces_are_one_piece_of_text() {
        for piece in ["{{", "{{ ", "}}", "{ {{a", "{{email|", "{{email|x}", "{{{}}}"] {
            let template = piece.repeat(1_000_000 / piece.len());
            assert_eq!(segments(&template), [Segment::Literal(&template)], "{piece}");
        }
        let many = "{{email}}".repeat(100_000);
        assert_eq!(segments(&many).len(), 100_000);
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_template(template in "([{}|% a:\"é]|first_name|email|field|\\PC){0,60}") {
            let pieces = segments(&template);
            let joined: String = pieces.iter().map(|segment| match segment {
                Segment::Literal(text) | Segment::Tag(_, text) => *text,
            }).collect();
            prop_assert_eq!(&joined, &template);
            let literals = |segment: &Segment<'_>| matches!(segment, Segment::Literal(_));
            prop_assert!(pieces.windows(2).all(|pair| !pair.iter().all(literals)));
        }
    }
}
