// Parts of a page that show changes by themselves. The server says only that something changed; the page then reads itself
// again and replaces what is different, so focus, selection and open details stay where they are.
"use strict";

{
  const LEAST = 2_000; // between two renewals
  const MOST = 60_000; // between two of them without a stream
  const WITHIN = 20_000; // for an answer
  const SILENCE = 5_000; // between two announcements
  const FOCUSABLE = "a[href], button, input, select, summary, [tabindex]";
  const parts = () => document.querySelectorAll("[data-live]");

  const status = document.createElement("p");
  status.className = "hidden";
  status.setAttribute("role", "status");

  let stream = null;
  let known = "";
  let failures = 0;
  let timer = 0;
  let nextAt = 0;
  let running = null;
  let isOver = false;
  let isLeaving = false;

  // The source of an element without what scripts have made of it.
  function sourceOf(element) {
    const copy = element.cloneNode(true);
    for (const button of copy.querySelectorAll(".copy-beside")) {
      button.previousSibling.remove(); // the space before it
      button.remove();
    }
    copy.querySelectorAll("[data-until]").forEach((span) => span.replaceChildren());
    copy.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = true; });
    copy.querySelectorAll("details").forEach((details) => details.removeAttribute("open"));
    copy.querySelectorAll("button").forEach((button) => { button.disabled = false; });
    for (const time of copy.querySelectorAll("time[datetime]")) {
      time.removeAttribute("title");
      time.replaceChildren(time.dateTime);
    }
    return copy.outerHTML.replace(/\s+/g, " ");
  }

  // Replaces the contents of an element, and keeps the focus, open details and chosen boxes in it.
  function replace(old, fresh) {
    const focus = [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
    const isOpen = [...old.querySelectorAll("details")].map((details) => details.open);
    const chosen = [...old.querySelectorAll("input:checked")].map((box) => box.value);
    const copy = document.importNode(fresh, true);
    localise(copy);
    old.className = copy.className;
    old.replaceChildren(...copy.childNodes);
    copyButtons(old);
    old.querySelectorAll("details").forEach((details, place) => { details.open = isOpen[place] ?? details.open; });
    old.querySelectorAll("input[type=checkbox]").forEach((box) => { box.checked = chosen.includes(box.value); });
    if (focus >= 0) old.querySelectorAll(FOCUSABLE)[focus]?.focus({ preventScroll: true });
  }

  const itemsOf = (part) => new Map([...part.querySelectorAll("[data-item]")].map((item) => [item.dataset.item, item]));

  // Makes the items of a part those of the fresh one. Those that stay are not moved. Returns how many are different.
  function renewItems(part, fresh) {
    const olds = itemsOf(part);
    const wanted = itemsOf(fresh);
    const parent = part.querySelector("[data-item]").parentNode;
    let changed = 0;
    for (const [key, item] of olds) if (!wanted.has(key)) item.remove();
    let place = parent.querySelector("[data-item]");
    for (const [key, item] of wanted) {
      const old = olds.get(key);
      if (old && old === place) {
        place = place.nextElementSibling;
        if (sourceOf(old) === sourceOf(item)) continue;
        replace(old, item);
      } else {
        old?.remove();
        const copy = document.importNode(item, true);
        localise(copy);
        parent.insertBefore(copy, place);
        copyButtons(copy);
      }
      changed += 1;
    }
    return changed;
  }

  // Returns how many of its items are different.
  function renewPart(part, fresh) {
    if (sourceOf(part) === sourceOf(fresh)) return 0;
    const hasItems = [part, fresh].every((it) => it.querySelector("[data-item]"));
    const changed = hasItems ? renewItems(part, fresh) : 1;
    if (sourceOf(part) !== sourceOf(fresh)) replace(part, fresh);
    part.dispatchEvent(new Event("renewed", { bubbles: true }));
    return changed;
  }

  let news = 0;
  let announcing = 0;
  function announce(changed) {
    news += changed;
    if (!news || announcing) return;
    status.textContent = news === 1 ? "1 change" : `${news} changes`;
    news = 0;
    announcing = setTimeout(() => { announcing = 0; announce(0); }, SILENCE);
  }

  function renewAll(page) {
    const isNew = [...page.querySelectorAll("[data-live]")].some((part) => !document.getElementById(part.id));
    // A click beside the fields and buttons focuses the main part.
    const isIdle = [document.body, document.getElementById("main")].includes(document.activeElement);
    if (isNew && isIdle) {
      location.reload();
      return;
    }
    let changed = 0;
    for (const part of parts()) {
      const fresh = page.getElementById(part.id);
      if (fresh) changed += renewPart(part, fresh);
    }
    announce(changed);
  }

  // Reads the page again. A slow service is asked less often.
  async function renew() {
    const begunAt = Date.now();
    running = new AbortController();
    const limit = setTimeout(() => running?.abort(), WITHIN);
    try {
      const headers = { Accept: "text/html", "X-Renewal": "1" };
      const answer = await fetch(location.href, { headers, signal: running.signal });
      const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
      if (answer.redirected || isRefused) stop();
      else if (answer.ok) renewAll(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The next renewal tries again.
    } finally {
      clearTimeout(limit);
      running = null;
      const took = Date.now() - begunAt;
      nextAt = Date.now() + Math.min(Math.max(LEAST, 10 * took), MOST);
    }
  }

  let isWanted = false;
  function changed(mark) {
    known = mark;
    if (isWanted) return;
    isWanted = true;
    const wait = Math.max(0, nextAt - Date.now()) + Math.random() * 200;
    setTimeout(async () => {
      isWanted = false;
      if (isOver || isLeaving) return;
      if (running) changed(mark);
      else await renew();
    }, wait);
  }

  function open() {
    if (isOver || isLeaving || document.hidden || stream) return;
    const own = new EventSource(`/admin/live?known=${known}`);
    stream = own;
    let hasBegun = false;
    own.addEventListener("open", () => { hasBegun = true; });
    own.addEventListener("changed", (event) => {
      failures = 0;
      changed(event.data);
    });
    own.addEventListener("error", () => {
      own.close();
      if (stream !== own) return;
      stream = null;
      failures = hasBegun ? 0 : failures + 1;
      again();
    });
  }

  // Opens the stream again after a while. If none could be opened, the page is read as well.
  function again() {
    const wait = Math.min(LEAST * 2 ** failures, MOST) * (0.75 + Math.random() / 2);
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (failures && !isOver && !document.hidden) await renew();
      open();
    }, wait);
  }

  function close() {
    clearTimeout(timer);
    stream?.close();
    stream = null;
    running?.abort();
  }

  // A renewal may reload the page, which would cancel a form that was just sent: none runs until its answer must be there.
  // A page that is still shown then was not left, because the answer was a download. What changed meanwhile is read then.
  function leave() {
    isLeaving = true;
    close();
    timer = setTimeout(returned, MOST);
  }

  function returned() {
    isLeaving = false;
    known = "";
    open();
  }

  function stop() {
    isOver = true;
    close();
    status.className = "hint";
    status.textContent = "This page no longer updates by itself. Reload it.";
  }

  if (parts().length && "EventSource" in window) {
    document.getElementById("main").append(status);
    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    addEventListener("pagehide", close);
    addEventListener("pageshow", (event) => { if (event.persisted) returned(); });
    document.addEventListener("submit", (event) => { if (!event.defaultPrevented) leave(); });
    open();
  }
}
