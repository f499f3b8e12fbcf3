// A moment that the address has in UTC is shown in the visitor's zone, so that sending the form again keeps it.
"use strict";

for (const input of document.querySelectorAll("form.filters input[data-moment]")) {
  const at = new Date(input.form.elements[input.dataset.moment].value);
  if (Number.isNaN(at.getTime())) continue;
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60000);
  input.value = local.toISOString().slice(0, 16);
}

// How many deliveries are selected, and one box for all of the page.
for (const form of document.querySelectorAll("form.selection")) {
  const boxes = [...form.querySelectorAll("input[name=ids]")];
  const button = form.querySelector("button[data-selected]");
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", "Select all deliveries of this page");
  const count = () => {
    const selected = boxes.filter((box) => box.checked).length;
    button.disabled = selected === 0;
    button.textContent = selected ? button.dataset.selected.replace("%", selected) : "Send selected again";
    all.checked = selected === boxes.length;
    all.indeterminate = selected > 0 && selected < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    count();
  });
  form.addEventListener("change", count);
  form.querySelector("th.choose").append(all);
  addEventListener("pageshow", count);
  count();
}
