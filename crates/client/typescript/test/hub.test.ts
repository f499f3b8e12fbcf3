// Against a running hub, whose address and key are HUB and KEY: `cargo xtask clients` starts one.

import assert from "node:assert/strict";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import test from "node:test";
import { AnswerError, ContactHub, ContactHubError, verifyWebhook, type Schemas } from "../src/index.js";

const [base, key] = [process.env["HUB"] ?? "", process.env["KEY"] ?? ""];
const skip = base === "" && "HUB and KEY are not set";
const hub = skip ? (undefined as never) : new ContactHub({ baseUrl: base, apiKey: key });

const run = `ts${Date.now()}`;
const person = (name: string): Schemas["ContactInput"] => ({
  email: `${name}@${run}.example.com`,
  first_name: "Ann",
  last_name: name,
});

/** A server on a free port, and its address. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a contact is created, read, changed and deleted", { skip }, async () => {
  const created = await hub.call("createContact", { body: person("one") });
  assert.equal(created.status, 201);
  const path = { id: created.data.id };
  const read = await hub.call("readContact", { path });
  assert.deepEqual(read.data.field_values, []);
  const etag = read.headers.get("etag") ?? "";
  const same = await hub.call("readContact", { path, ifNoneMatch: etag });
  assert.equal(same.status, 304);
  const changed = await hub.call("changeContact", { path, body: { last_name: "Li" }, ifMatch: etag });
  assert.equal(changed.data.last_name, "Li");
  await assert.rejects(hub.call("deleteContact", { path, ifMatch: etag }), { status: 412, code: "PRECONDITION_FAILED" });
  assert.equal((await hub.call("deleteContact", { path })).status, 204);
  await assert.rejects(hub.call("readContact", { path }), { status: 404, code: "CONTACT_NOT_FOUND" });
});

test("a body that is optional can be left out", { skip }, async () => {
  const body = { name: "Hook", url: "https://example.com/", events: ["syncRequested" as const] };
  const path = { id: (await hub.call("createWebhook", { body })).data.id };
  const rotated = await hub.call("rotateSecret", { path });
  const again = await hub.call("rotateSecret", { path, body: { grace_seconds: 0 } });
  assert.notEqual(again.data.secret, rotated.data.secret);
  assert.equal((await hub.call("deleteWebhook", { path })).status, 204);
});

test("what is invalid is named by field, and no error contains the key", { skip }, async () => {
  const body = { email: "no address", first_name: "", last_name: "Lee" };
  const error: unknown = await hub.call("createContact", { body }).catch((it: unknown) => it);
  assert.ok(error instanceof AnswerError);
  assert.deepEqual([error.status, Object.keys(error.invalid).sort()], [422, ["email", "first_name"]]);
  assert.match(error.requestId ?? "", /./);
  const refused = new ContactHub({ baseUrl: base, apiKey: "hub_secret" });
  await assert.rejects(refused.call("listFields"), (it: AnswerError) => {
    assert.equal(it.code, "UNAUTHENTICATED");
    assert.doesNotMatch(JSON.stringify([it, it.stack, refused, String(it.cause)]), /hub_secret/);
    return true;
  });
});

test("lists are read to their end", { skip }, async () => {
  const contacts = Array.from({ length: 23 }, (_, n) => person(`list${n}`));
  await hub.call("upsertContacts", { body: { contacts } });
  const search = `@${run}.example`;
  const query = { search, "page[size]": 5, "sort[]": ["-email"] };
  const emails: string[] = [];
  for await (const contact of hub.list("listContacts", { query })) emails.push(contact.email);
  const wanted = contacts.map(({ email }) => email).sort().reverse();
  assert.deepEqual(emails, wanted);
  const exported: string[] = [];
  for await (const contact of hub.export({ query: { search } })) exported.push(contact.email);
  assert.deepEqual(exported.sort().reverse(), wanted);
  for (let n = 0; n < 3; n += 1) {
    await hub.call("createIntegration", { body: { name: `${run} ${n}`, asset_types: ["email"], merge_tag_format: "braze" } });
  }
  const names: string[] = [];
  for await (const integration of hub.list("listIntegrations", { query: { "page[size]": 1 } })) names.push(integration.name);
  assert.deepEqual(names.filter((name) => name.startsWith(run)).length, 3);
});

test("the feed gives what changed, in its order", { skip }, async () => {
  const since = await hub.call("listChanges", { query: { "page[size]": 1000 } });
  const made = await hub.call("createContact", { body: person("feed") });
  const seen: string[] = [];
  for await (const page of hub.changes({ query: { after: since.meta.next } })) {
    seen.push(...page.data.map(({ type, object_id }) => `${type} ${object_id}`));
    if (seen.includes(`contact.created ${made.data.id}`)) break;
  }
  assert.ok(seen.length > 0);
});

test("a call whose answer is lost is repeated and done once", { skip }, async () => {
  let calls = 0;
  const front = createServer((incoming, outgoing) => {
    calls += 1;
    const lost = calls === 1;
    const forward = httpRequest(base + incoming.url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      if (lost) return void answer.resume().on("end", () => incoming.socket.destroy());
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forward);
  });
  try {
    const behind = new ContactHub({ baseUrl: await listening(front), apiKey: key, retries: { firstPauseMs: 1 } });
    const created = await behind.call("createContact", { body: person("lost") });
    assert.deepEqual([created.status, created.headers.get("idempotent-replayed"), calls], [201, "true", 2]);
  } finally {
    front.close();
  }
});

test("an export that breaks off goes on", { skip }, async () => {
  const contacts = Array.from({ length: 300 }, (_, n) => person(`export${n}`));
  await hub.call("upsertContacts", { body: { contacts } });
  let calls = 0;
  const front = createServer((incoming, outgoing) => {
    calls += 1;
    const breaks = calls === 1;
    const forward = httpRequest(base + incoming.url, { headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { "content-type": "application/x-ndjson" });
      let sent = 0;
      answer.on("data", (part: Buffer) => {
        sent += part.length;
        if (!breaks || sent < 20_000) return void outgoing.write(part);
        outgoing.write(part.subarray(0, 10_001), () => incoming.socket.destroy());
      });
      answer.on("end", () => outgoing.end());
    });
    forward.on("error", () => undefined);
    forward.end();
  });
  try {
    const behind = new ContactHub({ baseUrl: await listening(front), apiKey: key, retries: { firstPauseMs: 1 } });
    const emails: string[] = [];
    const query = { search: `export@${run}`.slice(6) };
    for await (const { email } of behind.export({ query })) if (email.startsWith("export")) emails.push(email);
    assert.equal(calls, 2);
    assert.deepEqual(emails.sort(), contacts.map(({ email }) => email).sort());
  } finally {
    front.close();
  }
});

test("a delivery is verified", { skip }, async () => {
  let arrived: (event: unknown) => void;
  const event = new Promise((resolve) => (arrived = resolve));
  const secrets: string[] = [];
  const receiver = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const received = { body: Buffer.concat(parts), headers: incoming.headers, secret: secrets };
      verifyWebhook(received).then(arrived, arrived);
      outgoing.writeHead(202).end();
    });
  });
  try {
    const url = `${await listening(receiver)}/hook`;
    const webhook = await hub.call("createWebhook", { body: { name: run, url, events: ["syncRequested"] } });
    secrets.push(webhook.data.secret);
    const path = { id: webhook.data.id };
    assert.equal((await hub.call("testWebhook", { path })).data.status_code, 202);
    assert.deepEqual(((await event) as Schemas["TestEvent"]).webhook_id, path.id);
    await hub.call("deleteWebhook", { path });
  } finally {
    receiver.close();
  }
});

test("an address or a key that cannot be used is refused without repeating the key", () => {
  for (const [baseUrl, apiKey] of [["ftp://x", "hub_key"], ["https://u:p@x", "hub_key"], ["https://x", "hub key"], ["https://x", ""]]) {
    assert.throws(
      () => new ContactHub({ baseUrl: baseUrl ?? "", apiKey: apiKey ?? "" }),
      (error) => error instanceof ContactHubError && !error.message.includes("hub key"),
    );
  }
});
