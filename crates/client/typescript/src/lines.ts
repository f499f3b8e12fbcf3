// Lines of a stream.

/** The longest line that is read, in characters. */
const LONGEST = 64 * 1024 * 1024;

/** The whole lines of a stream; a rest without its end is a line that broke off, and is left out. */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
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
