// Dates and times are picked, and sent as the interface writes them.
"use strict";

const isoOf = (at) => at.toISOString().replace(".000Z", "Z");
const localOf = (at) => `${dateOf(at)}T${clockOf(at)}:${two(at.getSeconds())}`;

// A moment that is picked in the visitor's zone is sent in UTC.
function sendMoments(form) {
  form.addEventListener("submit", () => {
    for (const input of form.querySelectorAll("input[data-moment]")) {
      const at = new Date(input.value);
      const hidden = form.elements[input.dataset.moment];
      hidden.value = input.value && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
    }
  });
}

// A text field for a moment gets a picker in its place. What is not picked anew is sent as it was, to its last digit.
function picker(text) {
  const at = new Date(text.value);
  if (text.value && Number.isNaN(at.getTime())) return;
  const input = document.createElement("input");
  for (const name of ["id", "aria-describedby", "aria-invalid"]) {
    if (text.hasAttribute(name)) input.setAttribute(name, text.getAttribute(name));
  }
  input.type = "datetime-local";
  input.step = "1";
  input.max = "9999-12-31T23:59:59";
  input.defaultValue = text.value ? localOf(at) : "";
  // As the browser writes it, which leaves out seconds that are zero.
  input.defaultValue = input.value;
  text.removeAttribute("id");
  text.type = "hidden";
  text.before(input);
  const hint = document.getElementById(`${input.id}-hint`);
  if (hint) hint.textContent = "In your time zone.";
  text.form.addEventListener("submit", (event) => {
    if (input.validity.badInput) {
      event.preventDefault();
      input.reportValidity();
    } else if (input.value !== input.defaultValue) {
      text.value = input.value ? isoOf(new Date(input.value)) : "";
    }
  });
}
