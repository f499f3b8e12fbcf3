// Enhancements. Every page works without them.
"use strict";

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
