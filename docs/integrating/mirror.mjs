// Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.
//
// HUB=https://hub.example KEY=... node mirror.mjs copy.json

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

async function call(path, body) {
  const headers = { Authorization: `Bearer ${process.env.KEY}`, "Content-Type": "application/json" };
  const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(process.env.HUB + path, options);
  if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
  return parse(await answer.text());
}

// Numbers become texts, because the numbers of JavaScript would lose digits.
function parse(json) {
  const tokens = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
  return JSON.parse(json.replace(tokens, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

const changes = (after) => call(`/api/manage/v1/changes?page[size]=1000&after=${after}`);

// The keys of fields never change, unlike their names.
function store(copy, contacts) {
  for (const contact of contacts) {
    const values = contact.field_values.map(({ key, value }) => [key, value]);
    copy.contacts[contact.id] = { ...contact, field_values: Object.fromEntries(values) };
  }
}

// The cursor must be from before the contacts are read.
async function firstCopy() {
  const copy = { cursor: (await changes("latest")).meta.next, contacts: {} };
  for (let after = ""; after !== null; ) {
    const path = "/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=";
    const { data, meta } = await call(path + after);
    store(copy, data);
    after = meta.next;
  }
  return copy;
}

// Stores contacts as they are now. If their values are too many for one call, each half is looked up.
async function lookUp(copy, ids) {
  try {
    const { data, meta } = await call("/api/public/v1/contacts/lookup", { ids });
    store(copy, data);
    for (const id of meta.missing) delete copy.contacts[id];
  } catch (error) {
    if (error.status !== 422 || ids.length === 1) throw error;
    const half = Math.floor(ids.length / 2);
    await lookUp(copy, ids.slice(0, half));
    await lookUp(copy, ids.slice(half));
  }
}

// Applies all changes since the last run.
async function follow(copy) {
  for (;;) {
    const { data, meta } = await changes(copy.cursor);
    const entries = data.filter((entry) => entry.type.startsWith("contact."));
    const ids = [...new Set(entries.map((entry) => entry.object_id))];
    if (ids.length > 0) await lookUp(copy, ids);
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
