// Moments as people say them, in the visitor's zone. The exact one is the title, and is read to those who cannot see it.
"use strict";

const two = (number) => String(number).padStart(2, "0");
const clockOf = (at) => `${two(at.getHours())}:${two(at.getMinutes())}`;
const dateOf = (at) => [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join("-");
const exactly = (at) => `${dateOf(at)} ${clockOf(at)}`;

// How many days after today a moment is, by the calendar.
function daysFrom(now, at) {
  const day = (moment) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return Math.round((day(at) - day(now)) / 86_400_000);
}

function said(at, now) {
  const minutes = Math.round(Math.abs(at - now) / 60_000);
  const isPast = at <= now;
  if (minutes === 0) return isPast ? "just now" : "in a moment";
  if (minutes < 60) {
    const words = `${minutes} minute${minutes === 1 ? "" : "s"}`;
    return isPast ? `${words} ago` : `in ${words}`;
  }
  const day = { "-1": "yesterday", 0: "today", 1: "tomorrow" }[daysFrom(now, at)];
  if (day) return `${day} at ${clockOf(at)}`;
  const isThisYear = at.getFullYear() === now.getFullYear();
  if (at.getFullYear() < 1000) return exactly(at);
  const parts = { day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) };
  return `${at.toLocaleDateString("en-GB", parts)} at ${clockOf(at)}`;
}

function localise(root) {
  const now = new Date();
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const words = "exact" in time.dataset ? exactly(at) : said(at, now);
    if (time.firstChild?.data === words) continue;
    time.title = at.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
    time.replaceChildren(words);
    if ("exact" in time.dataset) continue;
    const exact = document.createElement("span");
    exact.className = "hidden";
    exact.textContent = ` (${exactly(at)})`;
    time.append(exact);
  }
}

// What was said a minute ago has changed. A part that announces its changes is left alone.
function refreshMoments() {
  if (!document.hidden && !document.querySelector("[aria-live] time, [role=status] time")) localise(document);
}
