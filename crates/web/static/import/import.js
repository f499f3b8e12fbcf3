// The page of the import: a file is chosen, its columns are mapped, and its rows are sent in parts.

// Appears beside a row whose quotes do not follow the rules of CSV. It may contain the rows after it.
const MALFORMED = "A quoted cell has text after its closing quote, or is not closed.";

// In characters. The service takes larger parts.
const LARGEST_PART = 2_000_000;

// The file with its mapping, and how often a file was chosen.
let chosen = null;
let choices = 0;
let isRunning = false;

function fail(error) {
  const problem = part("problem");
  const isDecoding = error instanceof TypeError && /decod|encod/i.test(error.message);
  problem.textContent = isDecoding ? "The file is not in UTF-8. Save it as “CSV UTF-8” and try again." : error.message;
  problem.hidden = false;
}

function hideOutcome() {
  for (const id of ["progress", "problem", "refused", "done"]) part(id).hidden = true;
}

// A run over the rows of a file, from its beginning or from where it was left.
class Run {
  constructor({ file, mapping, isDry = false, state = null }) {
    const begin = { columns: mapping.columns(), delimiter: mapping.delimiter, position: mapping.headEnd, totals: { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 } };
    const { columns, delimiter, position, totals, refused } = state ?? begin;
    Object.assign(this, { file, mapping, isDry, columns, delimiter, position, totals: { ...totals } });
    this.refused = new Refused(refused);
    this.query = new URLSearchParams({ delimiter });
    if (isDry) this.query.set("dry_run", "true");
    for (const column of columns) this.query.append("column", column);
  }

  save() {
    if (this.isDry) return;
    const { name, size, lastModified: modified } = this.file;
    const { columns, delimiter, position, totals } = this;
    const { entries, reasons, bytes } = this.refused;
    saved.write({ name, size, modified, columns, delimiter, position, totals, refused: { entries, reasons, bytes } });
  }

  async flush(rows) {
    const sent = rows.filter(({ isMalformed }) => !isMalformed);
    const body = sent.map(({ text }) => text.endsWith("\n") ? text : `${text}\n`).join("");
    const outcome = sent.length ? await (await send(`/contacts/import/rows?${this.query}`, body)).json() : { created: 0, updated: 0, unchanged: 0, refused: [] };
    const reasons = new Map(outcome.refused.map(({ row, reason }) => [sent[row], reason]));
    for (const [place, row] of rows.entries()) {
      const reason = row.isMalformed ? MALFORMED : reasons.get(row);
      if (!reason) continue;
      this.totals.refused += 1;
      this.refused.add(this.totals.read + place + 2, row, reason);
    }
    for (const name of ["created", "updated", "unchanged"]) this.totals[name] += outcome[name];
    this.totals.read += rows.length;
    this.position = rows.at(-1).end;
    this.save();
    this.progress.show(this.totals, this.position);
    if (isCancelled) throw new Cancelled();
  }

  async toTheEnd() {
    this.progress = new Progress(this.file.size, this.isDry);
    this.progress.show(this.totals, this.position);
    this.save();
    let waiting = [];
    let size = 0;
    for await (const row of rowsOf(this.file, this.delimiter, this.position)) {
      waiting.push(row);
      size += row.text.length;
      if (waiting.length < Number(box.dataset.part) && size < LARGEST_PART) continue;
      await this.flush(waiting);
      waiting = [];
      size = 0;
    }
    if (waiting.length) await this.flush(waiting);
    this.progress.show(this.totals, this.file.size);
  }
}

// What the words at the end of a run say.
function ending(run, isCancelledNow) {
  if (run.isDry) {
    const made = run.mapping.newColumns().length ? " Fields that are not made yet count as empty." : "";
    return `${isCancelledNow ? "Cancelled." : ""} Nothing was imported.${made}`.trim();
  }
  return isCancelledNow ? "Cancelled. The rows that were read stay imported." : "The import is complete.";
}

// For the overview and an alert, which are left out if the service rejects it.
function recordEnd(file, { created, updated, unchanged, refused }) {
  const counts = { created, updated, unchanged, refused };
  attempt("/contacts/import/end", new URLSearchParams({ csrf_token: box.dataset.csrf, file: file.name, ...counts }));
}

async function run(options) {
  hideOutcome();
  part("unfinished").hidden = true;
  isCancelled = false;
  isRunning = true;
  part("file").disabled = true;
  const form = chosen.mapping.form;
  form.inert = true;
  let current = null;
  try {
    if (!options.isDry && !options.state) await chosen.mapping.makeFields();
    current = new Run({ ...chosen, ...options });
    chosen.run = current;
    const ended = current.toTheEnd();
    part("cancel").focus();
    await ended;
    if (!current.isDry) {
      saved.clear();
      recordEnd(current.file, current.totals);
    }
    current.progress.end(current.totals, ending(current, false));
    part("done").hidden = current.isDry;
  } catch (error) {
    if (!(error instanceof Cancelled)) fail(error);
    const words = error instanceof Cancelled && current ? ending(current, true) : "It stopped here.";
    current?.progress?.end(current.totals, words);
  } finally {
    isRunning = false;
    isCancelled = false;
    part("file").disabled = false;
    current?.refused.reveal(current.totals.refused);
    form.inert = false;
    chosen.mapping.check();
    offerToContinue();
  }
}

// Offers to go on with an import that was left, once its file is chosen.
function offerToContinue() {
  const state = saved.read();
  part("unfinished").hidden = state === null;
  if (!state) return;
  const isChosen = chosen !== null && saved.is(state, chosen.file);
  const next = isChosen ? "Continue it, or import the file again from its beginning." : "Choose the same file to continue it.";
  part("left").textContent = `The import of ${state.name} stopped. ${counted(state.totals, false)} ${next}`;
  part("resume").hidden = !isChosen;
}

async function choose(file) {
  hideOutcome();
  chosen = null;
  part("preview").replaceChildren();
  isCancelled = false;
  choices += 1;
  const own = choices;
  const mapping = await Mapping.of(file);
  if (own !== choices) return;
  mapping.offer();
  chosen = { file, mapping };
  mapping.form.addEventListener("submit", (event) => {
    event.preventDefault();
    run({});
  });
  part("check").addEventListener("click", () => run({ isDry: true }));
  offerToContinue();
}

async function download() {
  const { file, mapping, run } = chosen;
  const csv = await run.refused.toCsv(file, mapping.headEnd, mapping.delimiter);
  const link = document.createElement("a");
  link.download = "refused.csv";
  link.href = URL.createObjectURL(csv);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

part("file").addEventListener("change", () => {
  const [file] = part("file").files;
  if (file) choose(file).catch(fail);
});
part("cancel").addEventListener("click", () => {
  isCancelled = true;
  part("pace").textContent = "Stopping after this part.";
});
part("resume").addEventListener("click", () => run({ state: saved.read() }));
part("forget").addEventListener("click", () => {
  saved.clear();
  offerToContinue();
});
part("download").addEventListener("click", () => download().catch(fail));
addEventListener("beforeunload", (event) => {
  if (isRunning) event.preventDefault();
});
offerToContinue();
