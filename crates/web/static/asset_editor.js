// The editor of an asset: colours, merge tags to pick, warnings, and a preview. Without scripts it is a text area.
"use strict";

// How long a person pauses before what they wrote is checked and shown, in milliseconds.
const PAUSE = 700;

// The marks of merge tags in the editor. Names that the service does not know are marked as such.
function mergeTagMarks(unknown) {
  const { Decoration, MatchDecorator, ViewPlugin } = window.CodeMirror;
  const known = Decoration.mark({ class: "cm-merge-tag" });
  const wrong = Decoration.mark({ class: "cm-merge-tag cm-unknown-tag" });
  const nameOf = (inside) => inside.split("|")[0].trim();
  const matcher = new MatchDecorator({
    regexp: /\{\{([^{}]*)\}\}/g,
    decoration: ([, inside]) => unknown.has(nameOf(inside)) ? wrong : known,
  });
  return ViewPlugin.define((view) => ({
    marks: matcher.createDeco(view),
    seen: unknown.version,
    update(change) {
      const isStale = this.seen !== unknown.version;
      this.marks = isStale ? matcher.createDeco(change.view) : matcher.updateDeco(change, this.marks);
      this.seen = unknown.version;
    },
  }), { decorations: (plugin) => plugin.marks });
}

// Puts an editor in the place of a text area, which keeps the text that the form sends.
function editorOf(area, unknown, changed) {
  const { EditorState, EditorView, extensions } = window.CodeMirror;
  const attributes = { id: area.id, "aria-labelledby": "html-label" };
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (area.hasAttribute(name)) attributes[name] = area.getAttribute(name);
  }
  const hadFocus = document.activeElement === area;
  const view = new EditorView({
    state: EditorState.create({
      doc: area.value,
      extensions: [
        ...extensions,
        EditorView.cspNonce.of(area.form.dataset.nonce),
        EditorView.contentAttributes.of(attributes),
        mergeTagMarks(unknown),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          area.value = update.state.doc.toString();
          changed();
        }),
      ],
    }),
  });
  area.id = `${area.id}-source`;
  area.hidden = true;
  // The browser cannot point to a hidden field; the service says what is missing.
  area.required = false;
  area.after(view.dom);
  document.getElementById("html-label").addEventListener("click", () => view.focus());
  if (hadFocus) view.focus();
  return view;
}

// Inserts a merge tag where the person wrote last.
function pickTags(form, view) {
  const places = ["subject", "preheader", "text"].map((name) => form.elements[name]);
  let place = view.contentDOM;
  form.addEventListener("focusin", ({ target }) => {
    if (target === view.contentDOM || places.includes(target)) place = target;
  });
  const picker = document.getElementById("tag-picker");
  picker.hidden = false;
  picker.querySelector("button").addEventListener("click", () => {
    const tag = picker.querySelector("select").value;
    if (places.includes(place) && place.checkVisibility()) {
      place.setRangeText(tag, place.selectionStart, place.selectionEnd, "end");
      place.dispatchEvent(new Event("input", { bubbles: true }));
      place.focus();
    } else {
      view.dispatch(view.state.replaceSelection(tag));
      view.focus();
    }
  });
}

// The fields of the form, as the service takes them to show and to check them.
function written(form) {
  const isEmail = form.elements.type.value === "email";
  const names = ["csrf_token", "html", "text", ...(isEmail ? ["subject", "preheader"] : [])];
  return names.map((name) => [name, form.elements[name].value]);
}

// Shows the HTML in a frame. Each time it is a new one, so that going back leads to the page before.
function showDraft(form) {
  const old = document.querySelector("#draft iframe");
  const frame = old.cloneNode();
  frame.name = `draft-${Date.now()}`;
  frame.style.height = old.style.height;
  old.replaceWith(frame);
  const sent = document.createElement("form");
  Object.assign(sent, { method: "post", action: "/assets/preview", target: frame.name, hidden: true });
  for (const [name, value] of written(form)) {
    if (name !== "csrf_token" && name !== "html") continue;
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    sent.append(field);
  }
  document.body.append(sent);
  sent.submit();
  sent.remove();
  fitPreview(frame);
}

// Fetches the warnings, and marks the tags that they name.
async function checkDraft(form, unknown, view) {
  const answer = await fetch("/assets/check", { method: "POST", body: new URLSearchParams(written(form)) });
  if (!answer.ok || answer.redirected) return;
  const part = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
  const shown = document.getElementById("warnings");
  if (part.innerHTML.trim() !== shown.innerHTML.trim()) shown.replaceChildren(...part.childNodes);
  unknown.clear();
  for (const { dataset } of shown.querySelectorAll("[data-unknown]")) unknown.add(dataset.unknown);
  unknown.version += 1;
  view.dispatch({});
}

function editAsset(form) {
  const unknown = Object.assign(new Set(), { version: 0 });
  let timer;
  let isChecking = false;
  const check = async () => {
    // One at a time; what is written meanwhile is checked after it.
    if (isChecking) return later();
    isChecking = true;
    try {
      showDraft(form);
      await checkDraft(form, unknown, view);
    } catch {
      // The next pause tries again.
    } finally {
      isChecking = false;
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  };
  const view = editorOf(form.elements.html, unknown, later);
  form.addEventListener("input", later);
  pickTags(form, view);
  document.getElementById("draft").hidden = false;
  if (view.state.doc.length > 0) check();
}

editAsset(document.getElementById("asset"));
