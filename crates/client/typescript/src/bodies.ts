// Lines of a stream.

/** The longest line that is read, in characters. */
const LONGEST = 64 * 1024 * 1024;

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
