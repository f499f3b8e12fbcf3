// Reads a CSV file and sends it in parts of whole rows, so that it may be of any size.
"use strict";
{
  const part = (id) => document.getElementById(id);
  const box = part("import");
  const rowsAtOnce = Number(box.dataset.part);

  // In characters. The service rejects a longer body. Without a limit, a quote that is never closed would put the whole
  // file into memory.
  const LONGEST_ROW = 16 * 2 ** 20;

  // Appears beside a row whose quotes do not follow the rules of CSV. It may contain the rows after it.
  const MALFORMED = "A quoted cell has text after its closing quote, or is not closed.";

  // The rows of a file, each with its own text and line end. Without a delimiter, Papa Parse guesses it. The file is
  // decoded here, because Papa Parse decodes the pieces of a file one by one, which corrupts a letter in two of them.
  async function* rowsOf(file, delimiter) {
    const reader = file.stream().pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let rest = "";
    for (let done = false; !done;) {
      const piece = await reader.read();
      done = piece.done;
      // Papa Parse removes a byte order mark and does not count it.
      rest = (rest + (piece.value ?? "")).replace(/^\ufeff+/, "");
      const rows = [];
      const step = ({ errors, meta }) => rows.push({ end: meta.cursor, isMalformed: errors.some(({ type }) => type === "Quotes") });
      Papa.parse(rest, { delimiter, delimitersToGuess: [",", ";", "\t"], newline: "\n", step });
      // The last row may continue in the next piece.
      if (!done) rows.pop();
      let start = 0;
      for (const { end, isMalformed } of rows) {
        const text = rest.slice(start, end);
        start = end;
        if (text.trim()) yield { text, isMalformed };
      }
      rest = rest.slice(start);
      if (rest.length > LONGEST_ROW) throw new Error("A row of the file is too long. Check that each quoted cell is closed, and try again; rows that were imported are only updated.");
    }
  }

  async function send(address, body) {
    const headers = { "Content-Type": "text/csv; charset=utf-8", "X-CSRF-Token": box.dataset.csrf };
    let answer = await fetch(address, { method: "POST", headers, body });
    // A busy service says when to come again. A part that is sent again only updates.
    for (let tries = 0; [429, 503].includes(answer.status) && tries < 20; tries += 1) {
      const seconds = Number(answer.headers.get("Retry-After")) || 2;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      answer = await fetch(address, { method: "POST", headers, body });
    }
    if (answer.redirected) throw new Error("Your session has ended. Sign in again and repeat the import; rows that were imported are only updated.");
    if (!answer.ok) throw new Error("The service could not take this part of the file. Check that it is CSV in UTF-8 and try again; rows that were imported are only updated.");
    return answer;
  }

  function fail(error) {
    const problem = part("problem");
    problem.textContent = error instanceof TypeError && /decod|encod/i.test(error.message) ? "The file is not in UTF-8. Save it as “CSV UTF-8” and try again." : error.message;
    problem.hidden = false;
  }

  // Gives a column the choices, which stand once in the page however many columns and fields there are.
  function choose(cell) {
    const select = document.importNode(part("choices").content.firstElementChild, true);
    select.setAttribute("aria-label", `What the column ${cell.previousElementSibling.textContent} becomes`);
    select.value = cell.dataset.guess;
    // A field that was created after this page was opened is not among the choices.
    if (select.selectedIndex < 0) select.value = "";
    cell.append(select);
    const heads = ["Column", "Becomes", "First rows"];
    for (const [place, of] of [...cell.parentElement.cells].entries()) of.dataset.label = heads[place];
  }

  // The service reads as much of a file's beginning, in bytes; a letter has up to three.
  const PREVIEW = 300_000;

  async function preview(file) {
    for (const id of ["progress", "problem", "refused", "done"]) part(id).hidden = true;
    part("preview").replaceChildren();
    const rows = [];
    for await (const row of rowsOf(file)) {
      rows.push(row);
      if (rows.length > 5) break;
    }
    if (rows.length < 2) throw new Error("The file has no rows below its first line.");
    const answer = await send("/contacts/import/preview", rows.map(({ text }) => text).join("").slice(0, PREVIEW));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    part("preview").replaceChildren(page.getElementById("mapping"));
    part("mapping").querySelectorAll("td[data-guess]").forEach(choose);
    part("mapping").addEventListener("submit", (event) => {
      event.preventDefault();
      run(file).catch(fail);
    });
  }

  async function run(file) {
    const form = part("mapping");
    const { delimiter } = form.dataset;
    const query = new URLSearchParams({ delimiter });
    for (const select of form.querySelectorAll("select")) query.append("column", select.value);
    form.inert = true;
    part("progress").hidden = false;
    const totals = { read: 0, created: 0, updated: 0, refused: 0, bytes: 0 };
    const refused = [];
    let head = null;
    let waiting = [];
    const refuse = (number, text, reason) => {
      refused.push([text.replace(/\r?\n$/, ""), reason]);
      if (refused.length > 100) return;
      const line = part("reasons").insertRow();
      for (const [label, shown] of [["Row", String(number)], ["Why", reason]]) {
        const cell = line.insertCell();
        cell.dataset.label = label;
        cell.textContent = shown;
      }
    };
    const store = async (rows) => {
      const body = rows.map(({ text }) => text.endsWith("\n") ? text : `${text}\n`).join("");
      return (await send(`/contacts/import/rows?${query}`, body)).json();
    };
    const flush = async () => {
      const rows = waiting;
      waiting = [];
      const sent = rows.filter(({ isMalformed }) => !isMalformed);
      const outcome = sent.length ? await store(sent) : { created: 0, updated: 0, refused: [] };
      const reasons = new Map(outcome.refused.map(({ row, reason }) => [sent[row], reason]));
      for (const [place, row] of rows.entries()) {
        const reason = row.isMalformed ? MALFORMED : reasons.get(row);
        if (reason) refuse(totals.read + place + 2, row.text, reason);
      }
      totals.read += rows.length;
      totals.created += outcome.created;
      totals.updated += outcome.updated;
      totals.bytes += rows.reduce((sum, { text }) => sum + text.length, 0);
      part("bar").value = Math.min(1, totals.bytes / file.size);
      part("count").textContent = `${totals.read} rows read: ${totals.created} created, ${totals.updated} updated, ${refused.length} refused.`;
    };
    part("reasons").replaceChildren();
    let size = 0;
    for await (const row of rowsOf(file, delimiter)) {
      if (head === null) {
        head = row.text.replace(/\r?\n$/, "");
        continue;
      }
      waiting.push(row);
      size += row.text.length;
      if (waiting.length >= rowsAtOnce || size > 2_000_000) {
        await flush();
        size = 0;
      }
    }
    await flush();
    part("bar").value = 1;
    part("done").hidden = false;
    if (refused.length) {
      const quote = (text) => `"${text.replaceAll('"', '""')}"`;
      const lines = [`${head}${delimiter}refused_because`, ...refused.map(([row, reason]) => `${row}${delimiter}${quote(reason)}`)];
      part("download").href = URL.createObjectURL(new Blob([lines.join("\r\n"), "\r\n"], { type: "text/csv" }));
      part("refused").hidden = false;
    }
  }

  part("file").addEventListener("change", () => {
    const [file] = part("file").files;
    if (file) preview(file).catch(fail);
  });
}
