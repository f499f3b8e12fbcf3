// Small comforts. Every page works without them.
"use strict";

// Moments in the visitor's zone, in the shape in which the server wrote them.
function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const two = (number) => String(number).padStart(2, "0");
    const day = [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join("-");
    time.textContent = `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
    time.title = at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
  }
}

// A moment typed in the visitor's zone is sent in UTC.
function sendMoments(form) {
  form.addEventListener("submit", () => {
    for (const input of form.querySelectorAll("input[data-moment]")) {
      const at = new Date(input.value);
      const hidden = form.elements[input.dataset.moment];
      hidden.value = input.value && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
    }
  });
}

function copyButtons(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
    });
  }
}

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

// A filter on moments is compared with a day, which is picked and not typed.
function inputs(select) {
  const input = document.getElementById(select.dataset.inputs);
  select.addEventListener("change", () => {
    input.type = select.selectedOptions[0].parentElement.dataset.input ?? "text";
  });
}

localise(document);
copyButtons(document);
document.querySelectorAll("form:has(input[data-moment])").forEach(sendMoments);
document.querySelectorAll("[data-poll]").forEach(poll);
document.querySelectorAll("select[data-chooses]").forEach(dependents);
document.querySelectorAll("select[data-inputs]").forEach(inputs);

// One click sends a form once.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (button && event.target.method === "post") setTimeout(() => { button.disabled = true; }, 0);
});
addEventListener("pageshow", () => document.querySelectorAll("button:disabled[type=submit], form button:disabled").forEach((button) => { button.disabled = false; }));

const problem = document.querySelector("[aria-invalid=true]");
if (problem) problem.focus();
