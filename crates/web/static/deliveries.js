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
  const boxes = () => [...form.querySelectorAll("input[name=ids]")];
  const button = form.querySelector("button[data-selected]");
  const all = document.createElement("input");
  all.type = "checkbox";
  all.setAttribute("aria-label", "Select all deliveries of this page");
  const count = () => {
    const selected = boxes().filter((box) => box.checked).length;
    button.disabled = selected === 0;
    button.textContent = selected ? button.dataset.selected.replace("%", selected) : "Send selected again";
    all.checked = selected === boxes().length;
    all.indeterminate = selected > 0 && selected < boxes().length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    count();
  });
  form.addEventListener("change", count);
  form.addEventListener("renewed", count);
  form.querySelector("th.choose").append(all);
  addEventListener("pageshow", count);
  count();
}

// How long it is until a moment, counted down.
function countDown(part) {
  const until = new Date(part.dataset.until).getTime();
  const show = () => {
    if (!part.isConnected) return;
    const seconds = Math.ceil((until - Date.now()) / 1000);
    const units = [[3600, "h"], [60, "min"], [1, "s"]];
    const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, "s"];
    part.textContent = seconds > 0 ? `, in ${Math.round(seconds / size)} ${unit}` : ", due now";
    if (seconds > 0) setTimeout(show, 1000);
  };
  show();
}
document.querySelectorAll("[data-until]").forEach(countDown);
document.addEventListener("renewed", (event) => {
  event.target.querySelectorAll("[data-until]").forEach((part) => { if (!part.textContent) countDown(part); });
});
