// Sends a POST that is done once, however often it is repeated.
//
// HUB=https://hub.example KEY=... node send.mjs PATH IDEMPOTENCY_KEY < body.json

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Repeats the call until its answer is final. Store the idempotency key before you send.
export async function send(url, key, body, idempotencyKey) {
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
  };
  for (let pause = 1; ; pause = Math.min(2 * pause, 60)) {
    let wait = pause;
    try {
      const signal = AbortSignal.timeout(60_000);
      const answer = await fetch(url, { method: "POST", headers, body, signal });
      const text = await answer.text();
      const isInUse = answer.status === 409 && text.includes("IDEMPOTENCY_KEY_IN_USE");
      const isTemporary = [408, 429].includes(answer.status) || answer.status >= 500 || isInUse;
      if (!isTemporary) return [answer.status, text];
      wait = Number(answer.headers.get("Retry-After")) || pause;
    } catch {
      // Without an answer nobody knows whether the call was done.
    }
    await sleep(1000 * wait);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [path, idempotencyKey] = process.argv.slice(2);
  const { HUB, KEY } = process.env;
  const [status, text] = await send(HUB + path, KEY, readFileSync(0), idempotencyKey);
  process.stdout.write(text);
  process.exitCode = status < 300 ? 0 : 1;
}
