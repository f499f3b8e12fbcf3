// The refused rows of an import: their places in the file and the reasons. Their texts are read again from the file.

const MOST_LISTED = 5000;
const MOST_BYTES = 20_000_000;
const MOST_SHOWN = 100;

// Begins like a formula for a spreadsheet, also behind a character that some program takes for the end of a cell.
const FORMULA = /(?<=^|[;\t\n\r])(?=[=+\-@\t\r])/g;

function written(text, delimiter) {
  const safe = text.replace(FORMULA, "'");
  return /["\r\n]/.test(safe) || safe.includes(delimiter) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

class Refused {
  constructor({ entries = [], reasons = [], bytes = 0 } = {}) {
    this.entries = entries;
    this.reasons = reasons;
    this.bytes = bytes;
    part("reasons").replaceChildren();
    for (const [row, , , reason] of entries.slice(0, MOST_SHOWN)) this.show(row, reasons[reason]);
  }

  add(number, row, reason) {
    this.bytes += row.end - row.start;
    if (this.entries.length >= MOST_LISTED || this.bytes > MOST_BYTES) return;
    let place = this.reasons.indexOf(reason);
    if (place < 0) place = this.reasons.push(reason) - 1;
    this.entries.push([number, row.start, row.end, place]);
    if (this.entries.length <= MOST_SHOWN) this.show(number, reason);
  }

  show(number, reason) {
    const line = part("reasons").insertRow();
    for (const [label, shown] of [["Row", String(number)], ["Why", reason]]) {
      const cell = line.insertCell();
      cell.dataset.label = label;
      cell.textContent = shown;
    }
  }

  reveal(total) {
    part("refused").hidden = total === 0;
    part("unlisted").hidden = total <= this.entries.length;
    part("unlisted").textContent = `The first ${this.entries.length} are listed. The others are only counted.`;
  }

  // The rows as a file that can be corrected and imported.
  async toCsv(file, headEnd, delimiter) {
    const head = cellsOf((await file.slice(0, headEnd).text()).replace(/^\ufeff+/, ""), delimiter);
    const line = (cells) => `${cells.map((text) => written(text, delimiter)).join(delimiter)}\r\n`;
    const lines = [line([...head, "refused_because"])];
    for (const [, start, end, reason] of this.entries) {
      const cells = cellsOf(await file.slice(start, end).text(), delimiter);
      while (cells.length < head.length) cells.push("");
      lines.push(line([...cells, this.reasons[reason]]));
    }
    return new Blob(lines, { type: "text/csv" });
  }
}
