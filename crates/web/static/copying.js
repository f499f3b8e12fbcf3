// Copy buttons: beside an element that a button names, and beside each id and address.
"use strict";

function copyButton(button, source) {
  const words = [...button.childNodes];
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.replaceChildren("Copied");
    setTimeout(() => button.replaceChildren(...words), 2000);
  });
}

function copyButtons(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    copyButton(button, document.getElementById(button.dataset.copy));
  }
  for (const source of root.querySelectorAll("[data-copied]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet small copy-beside";
    button.ariaLive = "polite";
    const name = document.createElement("span");
    name.className = "hidden";
    name.textContent = ` ${source.dataset.copied}`;
    button.append("Copy", name);
    source.after(" ", button);
    copyButton(button, source);
  }
}
