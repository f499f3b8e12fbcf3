// "Go to": the pages of the navigation, what can be done here, and a search for contacts, by their first letters.
"use strict";

function placesOf(document) {
  const links = document.querySelectorAll(".sections a, main .actions a[href]:not([download])");
  return [...links].map((link) => ({ label: link.textContent.trim(), href: link.getAttribute("href") }));
}

// The places whose words begin with what is typed, and then a search.
function placesFor(typed, places) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label }) => words.every((word) => ` ${label.toLowerCase()}`.includes(` ${word}`));
  const found = places.filter(fits);
  if (typed.trim() && places.some(({ href }) => href === "/contacts")) {
    const href = `/contacts?${new URLSearchParams({ search: typed.trim() })}`;
    found.push({ label: `Search contacts for “${typed.trim()}”`, href });
  }
  return found;
}

function goTo() {
  const dialog = document.getElementById("go-to");
  const opener = document.getElementById("go-to-open");
  if (!dialog) return;
  const [input, list] = [dialog.querySelector("input"), dialog.querySelector("ul")];
  const places = placesOf(document);
  let shown = [];
  let current = 0;

  const point = (place) => {
    current = place;
    [...list.children].forEach((row, at) => row.setAttribute("aria-selected", String(at === place)));
    const row = list.children[place];
    row?.scrollIntoView({ block: "nearest" });
    if (shown.length > 0) input.setAttribute("aria-activedescendant", row.id);
    else input.removeAttribute("aria-activedescendant");
  };
  const draw = () => {
    shown = placesFor(input.value, places);
    const rows = shown.length > 0 ? shown : [{ label: "No page matches." }];
    list.replaceChildren(...rows.map(({ label, href }, at) => {
      const row = document.createElement("li");
      row.role = "option";
      row.id = `go-to-${at}`;
      row.textContent = label;
      if (!href) row.ariaDisabled = "true";
      row.addEventListener("click", () => go(at));
      return row;
    }));
    point(0);
  };
  const go = (place) => {
    if (!shown[place]) return;
    dialog.close();
    location.assign(shown[place].href);
  };
  const open = () => {
    input.value = "";
    draw();
    dialog.showModal();
  };

  const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
  opener.querySelector("kbd").textContent = isApple ? "⌘K" : "Ctrl K";
  opener.hidden = false;
  opener.addEventListener("click", open);
  input.addEventListener("input", draw);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length > 0) point((current + step + shown.length) % shown.length);
    else if (event.key === "Enter") go(current);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
}
