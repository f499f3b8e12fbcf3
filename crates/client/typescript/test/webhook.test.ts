import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import { verifyWebhook, WebhookVerificationError } from "../src/index.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const bytes = Buffer.from(secret.slice(6), "base64");
const body = JSON.stringify({ id: "e1", event: "test", created_at: "2026-11-20T09:30:00+00:00", webhook_id: "é" });
const now = 1_795_167_060_000;

function signed(key: Buffer, text = body, timestamp = now / 1000): Record<string, string> {
  const signature = createHmac("sha256", key).update(`e1.${timestamp}.${text}`).digest("base64");
  return { "Webhook-Id": "e1", "Webhook-Timestamp": `${timestamp}`, "Webhook-Signature": `v1,${signature}` };
}

test("an event that is signed with one of the secrets is returned", async () => {
  for (const headers of [signed(bytes), new Headers(signed(bytes))]) {
    const event = await verifyWebhook({ body, headers, secret, now });
    assert.equal(event.event, "test");
  }
  const both = signed(Buffer.from("correct horse battery"));
  both["Webhook-Signature"] = `v2,x v1,? ${both["Webhook-Signature"]}`;
  const secrets = [secret, "correct horse battery"];
  assert.equal((await verifyWebhook({ body: Buffer.from(body), headers: both, secret: secrets, now })).id, "e1");
});

test("a secret in another spelling of base64 stands for its own bytes", async () => {
  const spelled = Buffer.from("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==", "base64");
  const verify = (secret: string, key: Buffer) => verifyWebhook({ body, headers: signed(key), secret, now });
  for (const secret of ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGB==", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA"]) {
    await verify(secret, Buffer.from(secret));
    await assert.rejects(verify(secret, spelled), WebhookVerificationError);
  }
  await verify("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==", spelled);
});

test("any other one is refused", async () => {
  const headers = signed(bytes);
  const cases = [
    { body: body.replace("é", "e"), headers, secret },
    { body, headers, secret: "another secret of 16" },
    { body, headers, secret: "" },
    { body, headers, secret: [] },
    { body, headers: { ...headers, "Webhook-Signature": "" }, secret },
    { body, headers: { ...headers, "Webhook-Id": "e2" }, secret },
    { body, headers: { ...headers, "Webhook-Timestamp": `${now / 1000 + 1}` }, secret },
    { body, headers: { ...headers, "Webhook-Timestamp": "x" }, secret },
    { body, headers: signed(bytes, body, now / 1000 - 301), secret },
    { body, headers: signed(bytes, body, now / 1000 + 301), secret },
  ];
  for (const received of cases) {
    await assert.rejects(verifyWebhook({ ...received, now }), WebhookVerificationError);
  }
});
