// The rows of a CSV file, read piece by piece, so that a file may be of any size.

const part = (id) => document.getElementById(id);
const box = part("import");

// In characters. The service rejects a longer body. Without a limit, a quote that is never closed would put the whole
// file into memory.
const LONGEST_ROW = 16 * 2 ** 20;

const encoder = new TextEncoder();

function bytesOf(text) {
  return /^[\0-\x7f]*$/.test(text) ? text.length : encoder.encode(text).length;
}

// The rows from a byte on, each with its own text and line end, and its place in the file, in bytes. Without a
// delimiter, Papa Parse guesses it. The file is decoded here, because Papa Parse decodes the pieces of a file one by
// one, which corrupts a letter in two of them.
async function* rowsOf(file, delimiter, from = 0) {
  const decoder = new TextDecoderStream("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.slice(from).stream().pipeThrough(decoder).getReader();
  let rest = "";
  let at = from;
  try {
    for (let done = false; !done;) {
      const piece = await reader.read();
      done = piece.done;
      rest += piece.value ?? "";
      // Papa Parse removes a byte order mark and does not count it.
      const bare = rest.replace(/^\ufeff+/, "");
      at += bytesOf(rest.slice(0, rest.length - bare.length));
      rest = bare;
      const ends = [];
      const step = ({ errors, meta }) => ends.push({ end: meta.cursor, isMalformed: errors.some(({ type }) => type === "Quotes") });
      Papa.parse(rest, { delimiter, delimitersToGuess: [",", ";", "\t"], newline: "\n", step });
      // The last row may continue in the next piece.
      if (!done) ends.pop();
      let begin = 0;
      for (const { end, isMalformed } of ends) {
        const text = rest.slice(begin, end);
        begin = end;
        const start = at;
        at += bytesOf(text);
        if (text.trim()) yield { text, isMalformed, start, end: at };
      }
      rest = rest.slice(begin);
      if (rest.length > LONGEST_ROW) throw new Error("A row of the file is too long. Check that each quoted cell is closed, and try again; rows that were imported are only updated.");
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// The cells of a row.
function cellsOf(text, delimiter) {
  return Papa.parse(text.replace(/\r?\n$/, ""), { delimiter, newline: "\n" }).data.flat();
}
