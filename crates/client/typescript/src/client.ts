// Calls of operations.

import { Deadline } from "./deadline.js";
import { AnswerError, ConnectionError, ContactHubError } from "./errors.js";
import { OPERATIONS } from "./generated/operations.js";
import { lines, text } from "./bodies.js";
import { fillPath, writeQuery } from "./query.js";
import { mayPass, pause, RETRIES, retryAfter, sleep, type RetryOptions } from "./retry.js";
import type {
  Arguments,
  CallOptions,
  Input,
  Item,
  ListId,
  OperationId,
  Reply,
  Schemas,
} from "./types.js";

/** How a client is created. */
export interface ClientOptions {
  /** The address of the service, such as `https://hub.example`. */
  baseUrl: string;
  /** The API key. */
  apiKey: string;
  /**
   * How long one attempt may take, in milliseconds; for an export, the longest pause between two parts. 60,000 by default.
   * The time for which the service may hold a call of the feed of changes is added.
   */
  timeoutMs?: number;
  /** When calls are tried again. */
  retries?: Partial<RetryOptions>;
  /** Receives a warning about each operation that the service will remove. */
  onDeprecated?: (operation: OperationId, sunset: string | undefined) => void;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

interface Request {
  id: OperationId;
  url: string;
  init: RequestInit;
  signal: AbortSignal | undefined;
  /** For how many milliseconds the service may hold the call before it answers. */
  held: number;
  /** The limit of all attempts and of what is read; without it each attempt has its own. */
  deadline?: Deadline;
}

type AnyInput = CallOptions & {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** A client of one service with one API key. */
export class ContactHub {
  readonly #base: string;
  readonly #key: string;
  readonly #timeout: number;
  readonly #retries: RetryOptions;
  readonly #onDeprecated: ClientOptions["onDeprecated"];
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions) {
    const base = new URL(options.baseUrl);
    if (!/^https?:$/.test(base.protocol) || base.username || base.password || base.search || base.hash) {
      throw new ContactHubError("baseUrl must be an http or https address without a user or a query");
    }
    // An error of `fetch` would repeat a key that is no valid header.
    if (!/^[!-~]+$/.test(options.apiKey)) {
      throw new ContactHubError("apiKey must consist of visible ASCII characters");
    }
    this.#base = base.href.replace(/\/+$/, "");
    this.#key = options.apiKey;
    this.#timeout = options.timeoutMs ?? 60_000;
    this.#retries = { ...RETRIES, ...options.retries };
    this.#onDeprecated = options.onDeprecated;
    this.#fetch = options.fetch ?? fetch;
  }

  /** Calls an operation. Errors of the service are thrown as `AnswerError`. */
  async call<Id extends OperationId>(id: Id, ...[input]: Arguments<Id>): Promise<Reply<Id>> {
    const request = this.#request(id, (input ?? {}) as AnyInput, "application/json");
    return await this.#retried(request, async (response) => {
      const body = await read(response);
      return { ...body, status: response.status, headers: response.headers } as Reply<Id>;
    });
  }

  /** The items of a list, page by page, until its end. */
  async *list<Id extends ListId>(id: Id, ...[input]: Arguments<Id>): AsyncGenerator<Item<Id>, void> {
    const { query, ...rest } = (input ?? {}) as AnyInput;
    let next: Record<string, unknown> | undefined =
      id === "listContacts" ? { "page[after]": "", ...query } : { ...query };
    while (next) {
      const reply: Page<Item<Id>> = (await this.call(id, { ...rest, query: next } as never)) as never;
      yield* reply.data;
      next = following(OPERATIONS[id].paging, next, reply.meta);
    }
  }

  /**
   * The feed of changes, page by page, without an end: it waits for what is new. Store `meta.next` of a page once its
   * entries are processed, and begin there the next time. An error 410 `CURSOR_EXPIRED` means that a copy has to be made
   * from a new export.
   */
  async *changes(input: Input<"listChanges"> = {}): AsyncGenerator<Reply<"listChanges">, void> {
    let after = input.query?.after;
    for (;;) {
      const query = { wait: 25, ...input.query, ...(after === undefined ? {} : { after }) };
      const page = await this.call("listChanges", { ...input, query });
      after = page.meta.next;
      if (page.data.length > 0) yield page;
    }
  }

  /** All contacts with their values. An export that breaks off goes on after the last contact that arrived. */
  async *export(input: Input<"exportContacts"> = {}): AsyncGenerator<Schemas["ExportedContact"], void> {
    let failed = 0;
    let after = input.query?.["page[after]"];
    for (;;) {
      const query = { ...input.query, ...(after === undefined ? {} : { "page[after]": after }) };
      const request = this.#request("exportContacts", { ...input, query }, "application/x-ndjson");
      const deadline = new Deadline(this.#timeout, input.signal);
      try {
        const stream = await this.#retried({ ...request, deadline }, async (response) => response.body);
        if (!stream) return;
        for await (const line of lines(stream)) {
          // The service is not late while the caller works.
          deadline.pause();
          const contact = JSON.parse(line) as Schemas["ExportedContact"];
          after = contact._cursor;
          failed = 0;
          yield contact;
          deadline.restart();
        }
        return;
      } catch (error) {
        if (input.signal?.aborted || error instanceof ContactHubError) throw error;
        failed += 1;
        const wait = pause(this.#retries, failed, undefined, Math.random);
        if (wait === undefined) throw new ConnectionError("the export broke off", { cause: error });
        await sleep(wait, input.signal);
      } finally {
        deadline.end();
      }
    }
  }

  #request(id: OperationId, input: AnyInput, accept: string): Request {
    const { method, path, keyed } = OPERATIONS[id];
    const headers = new Headers({ Authorization: `Bearer ${this.#key}`, Accept: accept });
    if (keyed) headers.set("Idempotency-Key", input.idempotencyKey ?? crypto.randomUUID());
    if (input.ifMatch !== undefined) headers.set("If-Match", input.ifMatch);
    if (input.ifNoneMatch !== undefined) headers.set("If-None-Match", input.ifNoneMatch);
    // A redirect is not followed, so that the key is sent to no other address.
    const init: RequestInit = { method, headers, redirect: "error", cache: "no-store" };
    if (input.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(input.body, finite);
    }
    const url = this.#base + fillPath(path, input.path) + writeQuery(input.query);
    const wait = input.query?.["wait"];
    return { id, url, init, signal: input.signal, held: typeof wait === "number" ? 1000 * wait : 0 };
  }

  /** Sends a request until it succeeds, cannot succeed, or was tried often enough. */
  async #retried<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
    for (let failed = 1; ; failed += 1) {
      const deadline = request.deadline ?? new Deadline(this.#timeout + request.held, request.signal);
      let error: ContactHubError;
      let asked: number | undefined;
      try {
        const response = await this.#send(request, deadline.signal);
        if (response.ok || response.status === 304) return await read(response);
        const answer = AnswerError.of(response.status, response.headers, await readError(response));
        if (!mayPass(answer.status, answer.code)) throw answer;
        asked = retryAfter(response.headers, Date.now());
        error = answer;
      } catch (cause) {
        if (request.signal?.aborted) throw request.signal.reason;
        if (request.deadline?.signal.aborted || cause instanceof ContactHubError) throw cause;
        const late = cause instanceof DOMException && cause.name === "TimeoutError";
        const reason = late ? "the service takes too long" : "the service cannot be reached";
        error = new ConnectionError(`${request.id}: ${reason}`, { cause });
      } finally {
        if (deadline !== request.deadline) deadline.end();
      }
      const wait = pause(this.#retries, failed, asked, Math.random);
      if (wait === undefined) throw error;
      await sleep(wait, request.signal);
    }
  }

  async #send({ id, url, init }: Request, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(url, { ...init, signal });
    if (response.headers.has("deprecation")) {
      this.#onDeprecated?.(id, response.headers.get("sunset") ?? undefined);
    }
    return response;
  }
}

/** JSON would have null in place of a number that is not finite, and null removes a value. */
function finite(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) throw new ContactHubError(`${name} is not a finite number`);
  return value;
}

interface Page<T> {
  data: T[];
  meta: { next?: string | null; current_page?: number; last_page?: number | null };
}

/** The query of the next page, or undefined at the end. */
function following(
  paging: "cursor" | "number" | null,
  query: Record<string, unknown>,
  meta: Page<unknown>["meta"],
): Record<string, unknown> | undefined {
  if (paging === "cursor") return meta.next ? { ...query, "page[after]": meta.next } : undefined;
  const { current_page: current = 1, last_page: last } = meta;
  return current < (last ?? 1) ? { ...query, "page[number]": current + 1 } : undefined;
}

async function read(response: Response): Promise<object> {
  const body = await text(response.body);
  return body === "" ? {} : (JSON.parse(body) as object);
}

/** The body of an error, if it is JSON: a proxy in between may answer with something else. */
async function readError(response: Response): Promise<unknown> {
  const body = await text(response.body);
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
