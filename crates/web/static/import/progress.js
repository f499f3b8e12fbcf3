// How far an import is, how fast it goes and when it will end.

// The time over which the pace is measured.
const WINDOW = 10_000;

const grouped = (number) => number.toLocaleString("en-GB");

function lasting(seconds) {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} minute${minutes === 1 ? "" : "s"}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

// Says something to those who do not see the page. It is said seldom.
function announce(text) {
  part("announced").textContent = text;
}

function counted({ read, created, updated, unchanged, refused }, isDry) {
  const counts = isDry
    ? `${grouped(created)} would be created, ${grouped(updated)} would be updated, ${grouped(unchanged)} would not change`
    : `${grouped(created)} created, ${grouped(updated)} updated, ${grouped(unchanged)} unchanged`;
  return `${grouped(read)} rows read: ${counts}, ${grouped(refused)} refused.`;
}

class Progress {
  constructor(size, isDry) {
    this.size = size;
    this.isDry = isDry;
    this.marks = [];
    this.quarter = 0;
    part("running").textContent = isDry ? "Check" : "Import";
    part("progress").hidden = false;
    part("cancel").hidden = false;
    part("pace").textContent = "";
  }

  show(totals, position) {
    const share = this.size ? Math.min(1, position / this.size) : 1;
    part("bar").value = share;
    part("count").textContent = counted(totals, this.isDry);
    const now = performance.now();
    this.marks.push({ now, position, read: totals.read });
    while (this.marks.length > 2 && now - this.marks[0].now > WINDOW) this.marks.shift();
    const [first] = this.marks;
    const seconds = (now - first.now) / 1000;
    if (seconds > 1 && position > first.position) {
      const left = (this.size - position) * seconds / (position - first.position);
      part("pace").textContent = `${grouped(Math.round((totals.read - first.read) / seconds))} rows a second, ${lasting(left)} left.`;
    }
    const quarter = Math.floor(share * 4);
    if (quarter > this.quarter && quarter < 4) announce(`${quarter * 25} % read.`);
    this.quarter = quarter;
  }

  end(totals, words) {
    if (document.activeElement === part("cancel")) part("running").focus();
    part("cancel").hidden = true;
    part("pace").textContent = words;
    announce(`${counted(totals, this.isDry)} ${words}`);
  }
}
