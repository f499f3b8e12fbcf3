import assert from "node:assert/strict";
import test from "node:test";
import { AnswerError, ConnectionError, ContactHub } from "../src/index.js";
import { text } from "../src/bodies.js";
import { pause, RETRIES, retryAfter } from "../src/retry.js";

interface Call {
  url: string;
  headers: Headers;
}

/** A client whose calls are answered with these, one after the other; the last one is repeated. */
function client(answers: (() => Response | Promise<Response>)[]): { hub: ContactHub; calls: Call[]; deprecated: unknown[] } {
  const calls: Call[] = [];
  const deprecated: unknown[] = [];
  const hub = new ContactHub({
    baseUrl: "https://hub.example/",
    apiKey: "hub_secret",
    timeoutMs: 50,
    retries: { firstPauseMs: 1 },
    onDeprecated: (...warning) => deprecated.push(warning),
    fetch: async (url, init) => {
      calls.push({ url: String(url), headers: new Headers(init?.headers) });
      const answer = answers[Math.min(calls.length, answers.length) - 1];
      const aborted = new Promise<never>((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
      return await Promise.race([aborted, Promise.resolve(answer?.())]) as Response;
    },
  });
  return { hub, calls, deprecated };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => (): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
const failing = (): never => {
  throw new TypeError("fetch failed");
};
const body = { email: "a@example.com", first_name: "A", last_name: "B" };

test("what may pass is tried again under one key", async () => {
  const limited = json(429, { message: "Too many calls", type: "rate_limit_exceeded" }, { "retry-after": "0" });
  const busy = json(409, { error: { code: "IDEMPOTENCY_KEY_IN_USE", message: "" } }, { "retry-after": "0" });
  const { hub, calls } = client([failing, limited, busy, json(201, { data: { id: "x" } })]);
  assert.equal((await hub.call("createContact", { body })).data.id, "x");
  const keys = new Set(calls.map(({ headers }) => headers.get("idempotency-key")));
  assert.deepEqual([calls.length, keys.size, keys.has(null)], [4, 1, false]);
});

test("what cannot pass is not tried again", async () => {
  const { hub, calls } = client([json(409, { error: { code: "CONTACT_ALREADY_EXISTS", message: "There is one" } })]);
  await assert.rejects(hub.call("createContact", { body, idempotencyKey: "mine" }), {
    status: 409,
    code: "CONTACT_ALREADY_EXISTS",
    message: "409 CONTACT_ALREADY_EXISTS: There is one",
  });
  assert.deepEqual(calls.map(({ headers }) => headers.get("idempotency-key")), ["mine"]);
});

test("the time that a caller takes for a contact of an export is not the service's", async () => {
  let calls = 0;
  const contacts = ["a", "b", "c"].map((_cursor) => `${JSON.stringify({ _cursor })}\n`);
  const hub = new ContactHub({
    baseUrl: "https://hub.example/",
    apiKey: "hub_secret",
    timeoutMs: 50,
    retries: { firstPauseMs: 1 },
    fetch: async (_url, init) => {
      calls += 1;
      const parts = contacts.map((line) => new TextEncoder().encode(line));
      return new Response(new ReadableStream({
        start: (stream) => init?.signal?.addEventListener("abort", () => stream.error(init.signal?.reason)),
        pull: (stream) => {
          const part = parts.shift();
          if (part) stream.enqueue(part);
          else stream.close();
        },
      }));
    },
  });
  const arrived: string[] = [];
  for await (const { _cursor } of hub.export()) {
    arrived.push(_cursor);
    if (arrived.length > contacts.length) break;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  assert.deepEqual([arrived, calls], [["a", "b", "c"], 1]);
});

test("attempts, their time and the pauses that are asked for are limited", async () => {
  const never = client([() => new Promise<Response>(() => undefined)]);
  await assert.rejects(never.hub.call("listFields"), (error: ConnectionError) => /too long/.test(error.message));
  assert.equal(never.calls.length, 4);
  const long = client([json(503, undefined, { "retry-after": "3600" })]);
  await assert.rejects(long.hub.call("listFields"), AnswerError);
  assert.equal(long.calls.length, 1);
});

test("a call that the service holds may take longer", async () => {
  const page = json(200, { data: [{ id: "x" }], meta: { next: "y" } });
  const { hub, calls } = client([() => new Promise((resolve) => setTimeout(() => resolve(page()), 100))]);
  for await (const { meta } of hub.changes()) {
    assert.equal(meta.next, "y");
    break;
  }
  assert.match(calls[0]?.url ?? "", /wait=25/);
  assert.equal(calls.length, 1);
});

test("a number that is not finite is refused", async () => {
  const { hub, calls } = client([json(200, {})]);
  const { a } = JSON.parse('{"a": 1e400}') as { a: number };
  const change = hub.call("changeContact", { path: { id: "x" }, body: { field_values: { a } } });
  await assert.rejects(change, { name: "ContactHubError", message: "a is not a finite number" });
  assert.equal(calls.length, 0);
});

test("the length of an answer is limited", async () => {
  const whole = () => new Response("é".repeat(10)).body;
  assert.equal(await text(whole(), 10), "é".repeat(10));
  assert.equal(await text(null), "");
  await assert.rejects(text(whole(), 9), (error: ConnectionError) => /too long/.test(error.message));
});

test("the caller ends a call", async () => {
  const { hub, calls } = client([failing]);
  await assert.rejects(hub.call("listFields", { signal: AbortSignal.abort(new Error("mine")) }), /mine/);
  assert.ok(calls.length <= 1);
});

test("an answer that is no JSON is an error with its status", async () => {
  const { hub } = client([() => new Response("<html>", { status: 413 })]);
  await assert.rejects(hub.call("listFields"), { status: 413, code: undefined });
});

test("parameters are one segment of the path, and lists and objects of the query have brackets", async () => {
  const { hub, calls } = client([json(200, { data: [], meta: {} })]);
  await hub.call("readContact", { path: { id: "a/../b?c" } });
  await hub.call("listContacts", { query: { "sort[]": ["email", "-created_at"], filter: { "field:jobTitle": "x&y" } } });
  await assert.rejects(hub.call("readContact", { path: { id: ".." } }), TypeError);
  const [path, query] = calls.map(({ url }) => url);
  assert.equal(path, "https://hub.example/api/public/v1/contacts/a%2F..%2Fb%3Fc");
  const decoded = new URLSearchParams(query?.split("?")[1]);
  assert.deepEqual([decoded.getAll("sort[]"), decoded.get("filter[field:jobTitle]")], [["email", "-created_at"], "x&y"]);
});

test("an export without the end of its last line goes on", async () => {
  const broken = () => new Response('{"id":"1","_cursor":"x"}\n{"id":"2"');
  const { hub, calls } = client([broken, () => new Response('{"id":"2","_cursor":"y"}\n')]);
  const ids: string[] = [];
  for await (const { id } of hub.export()) ids.push(id);
  assert.deepEqual(ids, ["1", "2"]);
  assert.match(calls[1]?.url ?? "", /after%5D=x$/);
});

test("the end of an operation is announced", async () => {
  const headers = { deprecation: "@1795167060", sunset: "Wed, 01 Dec 2027 00:00:00 GMT" };
  const { hub, deprecated } = client([json(200, { data: [] }, headers)]);
  await hub.call("listFields");
  assert.deepEqual(deprecated, [["listFields", headers.sunset]]);
});

test("Retry-After holds seconds or a date, and a pause is at least that long", () => {
  const now = Date.parse("2026-11-20T09:30:00Z");
  const asked = (value: string) => retryAfter(new Headers({ "retry-after": value }), now);
  assert.deepEqual(
    [asked("7"), asked("Fri, 20 Nov 2026 09:30:05 GMT"), asked("Fri, 20 Nov 2026 09:00:00 GMT"), asked("soon")],
    [7000, 5000, 0, undefined],
  );
  const full = () => 1;
  assert.deepEqual([1, 2, 3, 4].map((failed) => pause(RETRIES, failed, undefined, full)), [250, 500, 1000, undefined]);
  assert.equal(pause(RETRIES, 1, 7000, () => 0), 7000);
  assert.equal(pause(RETRIES, 1, 30_001, full), undefined);
});
