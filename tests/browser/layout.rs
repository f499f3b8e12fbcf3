//! Checks that a page is readable: nothing overflows, no line or field is too long, and no word is broken.

use serde_json::Value;

use crate::person::Person;

/// All findings with their locations. Scrollable containers and texts without words are skipped. Lines are meant to
/// have about 70 characters and fields 42 rem; the checks allow some more.
const FINDINGS: &str = r"
    const root = document.documentElement;
    const found = [];
    const place = (element) => element.outerHTML.slice(0, 160);
    const own = '.table, .viewport, .cm-editor, .reference, .hidden, .skip, pre, svg, dialog, script, style';
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.hidden, .skip, svg, dialog');
    const isOwn = (element) => element.closest(own) !== null;
    if (root.scrollWidth > root.clientWidth) {
        const outside = [...document.body.querySelectorAll('*')].filter(isShown)
            .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1);
        found.push(['it scrolls sideways', root.scrollWidth, root.clientWidth, ...outside.slice(-3).map(place)]);
    }
    for (const field of document.querySelectorAll('main input, main select, main textarea:not(.code)')) {
        const { width } = field.getBoundingClientRect();
        if (isShown(field) && !isOwn(field) && width > 46 * 16) found.push(['a wide field', width, place(field)]);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
        const text = texts.currentNode;
        const element = text.parentElement;
        if (!text.data.trim() || !isShown(element) || element.closest('script, style, noscript, option, textarea')) continue;
        if (!isOwn(element) && !element.closest('code, h1')) {
            range.selectNodeContents(text);
            const width = Math.max(0, ...[...range.getClientRects()].map((line) => line.width));
            if (width > 50 * 16) found.push(['a long line', width, place(element)]);
        }
        if (element.closest('pre, code, .cm-editor, .reference')) continue;
        for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
            if (!/^\p{L}{2,14}[.,:;!?]?$/u.test(word)) continue;
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
            if (lines.size > 1) found.push(['a broken word', word, place(element)]);
        }
    }
    return found;
";

/// The findings; an empty list if there are none.
pub(crate) async fn findings(person: &Person) -> Value {
    person.js(FINDINGS).await.unwrap()
}
