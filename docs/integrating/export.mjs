// Exports all contacts, each once, also when connections break off.
//
// HUB=https://hub.example KEY=... node export.mjs > contacts.ndjson

import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Yields the lines: each is a contact and its values. Filters, sorts and search can be added to the address.
export async function* exportContacts(hub, key) {
  let after = "";
  for (;;) {
    const url = `${hub}/api/public/v1/contacts/export?page[after]=${after}`;
    try {
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      if (answer.status === 429 || answer.status >= 500) {
        await sleep(1000 * (Number(answer.headers.get("Retry-After")) || 5));
        continue;
      }
      if (!answer.ok) throw new Refused(await answer.text());
      let rest = "";
      for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) {
          after = JSON.parse(line)._cursor;
          yield line;
        }
      }
      if (rest === "") return;
    } catch (error) {
      if (error instanceof Refused || error instanceof SyntaxError) throw error;
    }
    await sleep(1000); // It broke off. The export goes on after the last whole line.
  }
}

class Refused extends Error {}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { HUB, KEY } = process.env;
  for await (const line of exportContacts(HUB, KEY)) console.log(line);
}
