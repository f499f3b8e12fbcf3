// The list of contacts: searching as one types, and filters whose values are picked.
"use strict";

const narrow = document.getElementById("narrow");
const search = document.getElementById("search");

// Parts that follow from the address are taken from the page at the new address; the rest of the page stays.
function takeOver(fresh) {
  for (const part of document.querySelectorAll("[data-renewed]")) {
    const other = fresh.getElementById(part.id);
    if (!other) continue;
    localise(other);
    const isOpen = [...part.querySelectorAll("details")].map((details) => details.open);
    other.querySelectorAll("details").forEach((details, place) => { details.open ||= isOpen[place] ?? false; });
    part.replaceWith(other);
  }
  const results = document.getElementById("results");
  offerAll();
  document.getElementById("found").textContent = results.querySelector(".problem") ? "" : results.dataset.found;
}

function searched() {
  const asked = new URLSearchParams(new FormData(narrow));
  for (const name of ["add", "value"]) asked.delete(name);
  if (!search.value.trim()) asked.delete("search");
  const query = asked.toString();
  return query ? `/contacts?${query}` : "/contacts";
}

let waiting;
let running;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    running?.abort();
    running = new AbortController();
    const address = searched();
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: running.signal });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.redirected || !fresh.getElementById("results")) throw new Error("not a list");
      takeOver(fresh);
      history.replaceState(null, "", address);
    } catch (error) {
      // The page that is opened says what is wrong; this one would show the list of another search.
      if (error.name !== "AbortError") location.assign(address);
    }
  }, 250);
});

// What a filter is compared with is typed or picked; some filters say it themselves.
const add = document.getElementById("add");
const value = document.getElementById("value");
function fitInput() {
  const [option] = add.selectedOptions;
  value.type = option.parentElement.dataset.input ?? "text";
  value.disabled = option.value.includes("=");
}
add.addEventListener("change", fitInput);
fitInput();
narrow.addEventListener("submit", () => {
  if (value.type !== "datetime-local" || !value.value) return;
  const at = isoOf(new Date(value.value));
  value.type = "text";
  value.value = at;
});

// The selection. Its parts are renewed with the list, so the document listens for them.
function countSelected() {
  const selection = document.getElementById("selection");
  if (!selection) return;
  const boxes = [...selection.querySelectorAll("[name=ids]")];
  const ticked = boxes.filter((box) => box.checked).length;
  const all = document.getElementById("all");
  all.checked = ticked === boxes.length;
  all.indeterminate = ticked > 0 && ticked < boxes.length;
  document.getElementById("selected").textContent = ticked > 0 ? `${ticked} selected` : "";
  for (const button of selection.querySelectorAll("[name=action]")) button.disabled = ticked === 0;
}

function offerAll() {
  const all = document.getElementById("select-all");
  if (!all) return;
  all.hidden = false;
  document.getElementById("select-link").hidden = true;
  countSelected();
}

document.addEventListener("change", ({ target }) => {
  if (target.id === "all") {
    for (const box of document.querySelectorAll("#selection [name=ids]")) box.checked = target.checked;
  }
  if (target.id === "all" || target.name === "ids") countSelected();
});
offerAll();
addEventListener("pageshow", offerAll);
