// Bodies of answers.

import { ConnectionError } from "./errors.js";

/** The longest line or body that is read, in characters. */
const LONGEST = 64 * 1024 * 1024;

/** A body as a text. */
export async function text(stream: ReadableStream<Uint8Array> | null, longest = LONGEST): Promise<string> {
  const decoder = new TextDecoder();
  let whole = "";
  if (!stream) return whole;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return whole + decoder.decode();
      whole += decoder.decode(value, { stream: true });
      if (whole.length > longest) throw new ConnectionError("the answer is too long");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The lines of a stream. Fails if the last one has no end: then the answer broke off. */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done && rest !== "") throw new TypeError("the last line of the answer has no end");
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      if (rest.length > LONGEST) throw new RangeError("a line of the answer is too long");
      yield* parts.filter((part) => part !== "");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
