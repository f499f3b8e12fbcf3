// Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.
//
// HUB=https://hub.example KEY=... node mirror.mjs copy.json

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

async function call(path, body) {
  const headers = { Authorization: `Bearer ${process.env.KEY}`, "Content-Type": "application/json" };
  const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(process.env.HUB + path, options);
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
  return answer.json();
}

const changes = (after) => call(`/api/manage/v1/changes?page[size]=1000&after=${after}`);

// The cursor must be from before the contacts are read.
async function firstCopy() {
  const cursor = (await changes("latest")).meta.next;
  const contacts = {};
  for (let after = ""; after !== null; ) {
    const path = "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=";
    const { data, meta } = await call(path + after);
    for (const contact of data) contacts[contact.id] = contact;
    after = meta.next;
  }
  return { cursor, contacts };
}

// Applies all changes since the last run.
async function follow(copy) {
  for (;;) {
    const { data, meta } = await changes(copy.cursor);
    const entries = data.filter((entry) => entry.type.startsWith("contact."));
    if (entries.length > 0) {
      const ids = [...new Set(entries.map((entry) => entry.object_id))];
      const found = await call("/api/public/v1/contacts/lookup", { ids });
      for (const contact of found.data) copy.contacts[contact.id] = contact;
      for (const id of found.meta.missing) delete copy.contacts[id];
    }
    copy.cursor = meta.next;
    if (data.length === 0) return copy;
  }
}

const file = process.argv[2];
let copy = existsSync(file) ? JSON.parse(readFileSync(file)) : await firstCopy();
try {
  await follow(copy);
} catch (error) {
  if (error.status !== 410) throw error;
  copy = await follow(await firstCopy()); // The cursor has expired.
}
writeFileSync(`${file}.new`, JSON.stringify(copy));
renameSync(`${file}.new`, file);
