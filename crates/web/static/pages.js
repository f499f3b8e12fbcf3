// Enhancements. Every page works without them.
"use strict";

const FOCUSABLE = "a[href], button, [tabindex]";

// Puts new content into a part that is announced when it changes; the focus stays where it was.
function renew(part, fresh) {
  const place = [...part.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  localise(fresh);
  part.replaceChildren(...fresh.childNodes);
  if (fresh.dataset.poll) part.dataset.poll = fresh.dataset.poll;
  else delete part.dataset.poll;
  if (place >= 0) part.querySelectorAll(FOCUSABLE)[place]?.focus();
}

// A part of a page that is asked for again until it does not change any more.
function poll(part) {
  let seen = "";
  const again = async () => {
    try {
      const answer = await fetch(part.dataset.poll, { headers: { Accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
      if (!fresh) return;
      const { outerHTML } = fresh;
      if (outerHTML !== seen) renew(part, fresh);
      seen = outerHTML;
      if (part.dataset.poll) setTimeout(again, 1500);
    } catch {
      setTimeout(again, 5000);
    }
  };
  setTimeout(again, 1000);
}

// What only some choices of a select need.
function dependents(select) {
  const show = () => {
    for (const part of document.querySelectorAll(`[data-only-for="${select.id}"]`)) {
      part.hidden = part.dataset.only !== select.value;
    }
  };
  select.addEventListener("change", show);
  show();
}

// What is shown once answers a form; to load it again must not send the form again.
for (const once of document.querySelectorAll("[data-address]")) history.replaceState(null, "", once.dataset.address);

localise(document);
setInterval(refreshMoments, 30_000);
copyButtons(document);
document.querySelectorAll("input[data-picker]").forEach(picker);
document.querySelectorAll("form:has(input[data-moment])").forEach(sendMoments);
goTo();
warnOfUnsaved();
document.querySelectorAll("[data-poll]").forEach(poll);
document.querySelectorAll("select[data-chooses]").forEach(dependents);

// One click sends a form once.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  const isSent = event.target.method === "post" && !event.defaultPrevented;
  if (button && isSent && !("download" in button.dataset)) setTimeout(() => { button.disabled = true; }, 0);
});
addEventListener("pageshow", () => document.querySelectorAll("button:disabled[type=submit], form button:disabled").forEach((button) => { button.disabled = false; }));

const problem = document.querySelector("[aria-invalid=true]");
if (problem) problem.focus();

// A slash leads to the search of the page.
document.addEventListener("keydown", (event) => {
  const search = document.querySelector("main input[type=search]");
  const isTyping = event.target.matches("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping || !search) return;
  event.preventDefault();
  search.focus();
  search.select();
});
