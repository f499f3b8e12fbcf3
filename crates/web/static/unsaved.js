// Changes that were not saved are warned of when the page is left.
"use strict";

function isChanged(control) {
  if (control.type === "hidden" || control.type === "search") return false;
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.type === "file") return control.value !== "";
  if (control.tagName === "SELECT") {
    const options = [...control.options];
    const given = options.some((option) => option.defaultSelected);
    return given ? options.some((option) => option.selected !== option.defaultSelected) : control.selectedIndex > 0;
  }
  return "defaultValue" in control && control.value !== control.defaultValue;
}

// A form that was refused holds what is not saved yet.
function hasUnsaved(form) {
  return form.querySelector("[aria-invalid=true]") !== null || [...form.elements].some(isChanged);
}

function warnOfUnsaved() {
  let isSent = false;
  const forms = [...document.querySelectorAll("main form[method=post]")];
  const watched = forms.filter((form) => !("unwatched" in form.dataset) && !form.querySelector("[type=password]"));
  document.addEventListener("submit", (event) => { isSent = !event.defaultPrevented; });
  addEventListener("pageshow", () => { isSent = false; });
  addEventListener("beforeunload", (event) => {
    if (!isSent && watched.some((form) => form.isConnected && hasUnsaved(form))) event.preventDefault();
  });
}
