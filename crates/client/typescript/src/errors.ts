// What may go wrong. No error contains the API key or a webhook's secret.

import type { ErrorCode } from "./types.js";

/** The base of all errors of this client. */
export class ContactHubError extends Error {
  override name = "ContactHubError";
}

/** There was no answer: the service could not be reached, the answer broke off, or it took too long. */
export class ConnectionError extends ContactHubError {
  override name = "ConnectionError";
}

/** A webhook that is not from the service, or is too old. */
export class WebhookVerificationError extends ContactHubError {
  override name = "WebhookVerificationError";
}

/** The service answered with an error. */
export class AnswerError extends ContactHubError {
  override name = "AnswerError";

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The code to branch on; undefined with status 422 for what is invalid, and with 429. */
    readonly code: ErrorCode | (string & {}) | undefined,
    message: string,
    /** With status 422: messages by the dotted path of the field. */
    readonly invalid: Record<string, string[]>,
    /** The call in the service's logs. */
    readonly requestId: string | undefined,
    /** The body of the answer. */
    readonly body: unknown,
  ) {
    super(`${status} ${code ?? "-"}: ${message}`);
  }

  /** The error of an answer, whichever of the three envelopes it has. */
  static of(status: number, headers: Headers, body: unknown): AnswerError {
    const { error, errors, message } = (body ?? {}) as Partial<Envelopes>;
    const first = errors?.[0];
    const text = error?.message ?? first?.details ?? message ?? "The answer gives no reason.";
    const requestId = headers.get("x-request-id") ?? undefined;
    return new AnswerError(status, error?.code, text, first?.meta ?? {}, requestId, body);
  }
}

interface Envelopes {
  error: { code: string; message: string };
  errors: { details: string; meta: Record<string, string[]> }[];
  message: string;
}
