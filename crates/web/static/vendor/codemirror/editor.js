// The part of CodeMirror that the pages use, as one object.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { LRLanguage, LanguageSupport, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, MatchDecorator, ViewPlugin, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { parser as cssParser } from "@lezer/css";
import { classHighlighter } from "@lezer/highlight";
import { configureNesting, parser as htmlParser } from "@lezer/html";

// HTML with CSS in its style elements. Emails have no scripts, so JavaScript has no colours.
const nesting = configureNesting([{ tag: "style", parser: cssParser }]);
const html = new LanguageSupport(LRLanguage.define({ name: "html", parser: htmlParser.configure({ wrap: nesting }) }));

window.CodeMirror = {
  Decoration,
  EditorState,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  // Colours are classes, which the style sheet of the pages has.
  extensions: [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    html,
    syntaxHighlighting(classHighlighter),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
  ],
};
