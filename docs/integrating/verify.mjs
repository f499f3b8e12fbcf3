// Whether a webhook is from Contact Hub and unchanged.
//
// WEBHOOK_SECRET=... node verify.mjs SIGNATURE [PREVIOUS] < body

import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// `body` is the raw body as a Buffer, `signatures` the values of Service-Signature and Service-Signature-Previous.
export function verify(secret, body, ...signatures) {
  if (!secret || secret.length < 16) return false; // Without a secret, anybody could sign.
  const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
  return signatures.some((signature) => {
    const given = Buffer.from(signature ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const isOurs = verify(process.env.WEBHOOK_SECRET, readFileSync(0), ...process.argv.slice(2));
  process.exit(isOurs ? 0 : 1);
}
