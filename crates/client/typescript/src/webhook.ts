// Whether a webhook is from the service, unchanged and recent.

import { WebhookVerificationError } from "./errors.js";
import type { WebhookEvent } from "./types.js";

/** What arrived. */
export interface ReceivedWebhook {
  /** The body exactly as it was received. */
  body: Uint8Array | string;
  /** The headers. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The webhook's secret; during a rotation both secrets. */
  secret: string | readonly string[];
  /** By how many seconds the clocks may differ, and how old an attempt may be. 300 by default. */
  toleranceSeconds?: number;
  /** The time, in milliseconds since 1970. */
  now?: number;
}

/** Verifies the headers of the Standard Webhooks specification, in constant time; returns the event. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { body, headers, toleranceSeconds = 300, now = Date.now() } = received;
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError("a webhook header is missing");
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError("the webhook is too old, or the clocks differ");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const secret of [received.secret].flat()) {
    const key = await crypto.subtle.importKey("raw", keyBytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures.split(" ")) {
      const given = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : undefined;
      if (given && (await crypto.subtle.verify("HMAC", key, given, signed))) {
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
      }
    }
  }
  throw new WebhookVerificationError("no signature of the webhook is valid");
}

function header(headers: ReceivedWebhook["headers"], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found.join(" ") : found;
}

/** A secret of the form `whsec_` stands for 24 to 64 bytes; any other one for its own. */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  // Without a secret, anybody could sign.
  if (secret.length < 16) throw new WebhookVerificationError("the secret is too short");
  const decoded = secret.startsWith("whsec_") ? fromBase64(secret.slice(6)) : undefined;
  const fits = decoded && decoded.length >= 24 && decoded.length <= 64;
  return fits ? decoded : new TextEncoder().encode(secret);
}

/** The bytes that are written like this; undefined for other spellings, which the service does not decode either. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const decoded = atob(text);
    return btoa(decoded) === text ? Uint8Array.from(decoded, (char) => char.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
