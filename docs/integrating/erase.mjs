// Erases a person, and writes what was stored of them to standard output.
//
// HUB=https://hub.example KEY=... node erase.mjs EMAIL > known.json

import { pathToFileURL } from "node:url";

async function call(path, body) {
  const headers = { Authorization: `Bearer ${process.env.KEY}`, "Content-Type": "application/json" };
  const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(process.env.HUB + path, options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

// Returns what was stored; null if no contact has the email. With `block` the email cannot come back.
export async function erase(email) {
  const found = JSON.parse(await call("/api/public/v1/contacts/lookup", { emails: [email] }));
  if (found.data.length === 0) return null;
  const path = `/api/manage/v1/contacts/${found.data[0].id}`;
  const known = await call(`${path}/everything`);
  await call(`${path}/erase`, { block: true });
  return known;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const known = await erase(process.argv[2]);
  process.stdout.write(known ?? "");
  process.exitCode = known ? 0 : 1;
}
