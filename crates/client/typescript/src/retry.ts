// Whether and when a call is tried again.

/** The limits of retries. */
export interface RetryOptions {
  /** How often a call is tried in all. */
  attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long. */
  firstPauseMs: number;
  /** The longest pause, in milliseconds. An answer that asks for a longer one is an error at once. */
  longestPauseMs: number;
}

export const RETRIES: RetryOptions = { attempts: 4, firstPauseMs: 250, longestPauseMs: 30_000 };

const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** Whether the same call may succeed later. */
export function mayPass(status: number, code: string | undefined): boolean {
  return PASSING.has(status) || code === "IDEMPOTENCY_KEY_IN_USE";
}

/** What `Retry-After` asks for, in milliseconds; it holds seconds or a date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}

/**
 * The pause before the next attempt, or undefined when there is none. It is at least what the answer asks for, and else
 * random up to a limit that doubles, so that many clients do not return together.
 */
export function pause(
  options: RetryOptions,
  failed: number,
  asked: number | undefined,
  random: () => number,
): number | undefined {
  if (failed >= options.attempts || (asked ?? 0) > options.longestPauseMs) return undefined;
  const limit = Math.min(options.longestPauseMs, options.firstPauseMs * 2 ** (failed - 1));
  return (asked ?? 0) + random() * limit;
}

/** Waits, unless the signal ends it. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
