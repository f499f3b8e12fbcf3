// What each column becomes, and how its cells are written.

const REQUIRED = [["email", "Email"], ["first_name", "First name"], ["last_name", "Last name"]];
const HEADS = ["Column", "Becomes", "Written as", "First rows"];

// The service reads as much of a file's beginning, in bytes; a letter has up to three.
const PREVIEW = 300_000;
const PREVIEW_ROWS = 101;

function copyOf(template, label) {
  const select = document.importNode(part(template).content.firstElementChild, true);
  select.setAttribute("aria-label", label);
  return select;
}

class Mapping {
  // The first rows of a file, as texts and as cells.
  static async of(file) {
    const texts = [];
    let size = 0;
    let end = 0;
    for await (const row of rowsOf(file)) {
      if (texts.length && size + row.text.length > PREVIEW) break;
      texts.push(row.text);
      size += row.text.length;
      end ||= row.end;
      if (texts.length >= PREVIEW_ROWS) break;
    }
    if (texts.length < 2 && /\r(?!\n)/.test(texts[0] ?? "")) {
      throw new Error("The lines of this file end with CR. Save it with line ends of Windows (CR LF) or Unix (LF).");
    }
    if (texts.length < 2) throw new Error("The file has no rows below its first line.");
    const answer = await send("/contacts/import/preview", texts.join("").slice(0, PREVIEW));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return new Mapping(page.getElementById("mapping"), texts, end);
  }

  constructor(form, texts, headEnd) {
    this.form = form;
    this.delimiter = form.dataset.delimiter;
    this.headEnd = headEnd;
    [this.names, ...this.cells] = texts.map((text) => cellsOf(text, this.delimiter));
    this.rows = [...form.querySelectorAll("tbody tr")];
  }

  // Puts the mapping into the page.
  offer() {
    part("preview").replaceChildren(this.form);
    for (const [place, row] of this.rows.entries()) this.choose(place, row);
    this.check();
  }

  // Gives a column the choices, which stand once in the page however many columns and fields there are.
  choose(place, row) {
    for (const [at, cell] of [...row.cells].entries()) cell.dataset.label = HEADS[at];
    const cell = row.cells[1];
    const select = copyOf("choices", `What the column ${row.cells[0].textContent} becomes`);
    select.value = cell.dataset.guess;
    // A field that was created after this page was opened is not among the choices.
    if (select.selectedIndex < 0) select.value = "";
    const fitting = cell.dataset.new && select.querySelector(`[value="new:${cell.dataset.new}"]`);
    if (fitting) fitting.textContent += " (suggested)";
    select.addEventListener("change", () => this.renew(place, true).catch(fail));
    cell.append(select);
    this.offerReadings(place, row);
  }

  offerReadings(place, row) {
    const { kind, reading } = row.cells[2].dataset;
    if (!kind) return;
    const select = copyOf(`read-${kind}`, `How the column ${row.cells[0].textContent} is written`);
    if (reading === "?") select.prepend(new Option("Choose", "?", true, true));
    select.value = reading;
    select.addEventListener("change", () => this.renew(place, false).catch(fail));
    row.cells[2].append(select);
  }

  // Asks what the first cells of one column become now.
  async renew(place, isOther) {
    this.check();
    const row = this.rows[place];
    const column = isOther ? this.target(place) : this.column(place);
    const query = new URLSearchParams({ delimiter: ",", column });
    const cells = [this.names, ...this.cells].map((cells) => [cells[place] ?? ""]);
    const answer = await send(`/contacts/import/preview?${query}`, Papa.unparse(cells, { quotes: true }));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The person may have chosen something else meanwhile.
    if (column !== (isOther ? this.target(place) : this.column(place))) return;
    const fresh = page.querySelector("tbody tr");
    for (const at of isOther ? [2, 3] : [3]) {
      fresh.cells[2].dataset.label = HEADS[at];
      row.replaceChild(fresh.cells[at].cloneNode(true), row.cells[at]);
      row.cells[at].dataset.label = HEADS[at];
    }
    if (isOther) this.offerReadings(place, row);
    this.check();
  }

  target(place) {
    return this.rows[place].cells[1].firstElementChild.value;
  }

  column(place) {
    const reading = this.rows[place].cells[2].querySelector("select")?.value;
    return this.target(place) + (reading ? `~${reading}` : "");
  }

  columns() {
    return this.rows.map((_, place) => this.column(place));
  }

  newColumns() {
    return this.rows.map((_, place) => place).filter((place) => this.target(place).startsWith("new:"));
  }

  // Why the import cannot start; empty when it can.
  lacking() {
    const targets = this.rows.map((_, place) => this.target(place));
    const missing = REQUIRED.filter(([target]) => !targets.includes(target)).map(([, label]) => label);
    if (missing.length) return `Choose the column that becomes: ${missing.join(", ")}.`;
    const twice = targets.findIndex((target, place) => target && !target.startsWith("new:") && targets.indexOf(target) < place);
    if (twice >= 0) return `Two columns become ${this.rows[twice].cells[1].firstElementChild.selectedOptions[0].textContent}.`;
    const open = this.columns().findIndex((column) => column.endsWith("~?"));
    return open < 0 ? "" : `Choose how the column ${this.names[open]} is written.`;
  }

  check() {
    const lacking = this.lacking();
    if (part("lacking").textContent !== lacking) part("lacking").textContent = lacking;
    for (const id of ["start", "check"]) part(id).disabled = lacking !== "";
  }

  // Makes the fields that columns are to become. Each that is made is chosen at once, so that a repetition goes on.
  async makeFields() {
    for (const place of this.newColumns()) {
      const kind = this.target(place).slice("new:".length);
      const form = new URLSearchParams({ csrf_token: box.dataset.csrf, name: this.names[place], type: kind });
      const answer = await call("/contacts/import/fields", form);
      const made = answer.headers.get("Content-Type")?.startsWith("application/json") ? await answer.json() : {};
      if (!answer.ok) throw new Error(`The field for the column ${this.names[place]} was not made. ${made.problem ?? ""}`);
      for (const choices of [part("choices").content, this.form]) {
        for (const group of choices.querySelectorAll("select[name=column] > optgroup")) group.before(new Option(made.label, made.target));
      }
      this.rows[place].cells[1].firstElementChild.value = made.target;
    }
  }
}
