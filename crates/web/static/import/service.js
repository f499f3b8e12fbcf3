// Calls of the service. What fails for a moment is tried again, and is never the fault of a row.

const RETRIED = [429, 502, 503, 504];
const LONGEST_WAIT = 300;
const GIVE_UP_AFTER = 600_000;
const CALL_DEADLINE = 120_000;

// The person stopped the import.
class Cancelled extends Error {}
let isCancelled = false;

// Rows are sent as they are, and a form with the token among its fields.
async function attempt(address, body) {
  const headers = body instanceof URLSearchParams ? {} : { "Content-Type": "text/csv; charset=utf-8", "X-CSRF-Token": box.dataset.csrf };
  try {
    return await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(CALL_DEADLINE) });
  } catch {
    return null;
  }
}

async function pause(seconds, why) {
  announce(`${why}; trying again.`);
  part("wait").hidden = false;
  for (let left = Math.ceil(seconds); left > 0; left -= 1) {
    part("wait").textContent = `${why}; trying again in ${left} s.`;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (isCancelled) break;
  }
  part("wait").hidden = true;
  if (isCancelled) throw new Cancelled();
}

// A part that is sent again only updates, so nothing is done twice when only the answer was lost.
async function call(address, body) {
  const began = Date.now();
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt(address, body);
    if (answer?.redirected) throw new Error("Your session has ended. Sign in again, choose the same file and continue.");
    if (answer && !RETRIED.includes(answer.status)) return answer;
    if (Date.now() - began > GIVE_UP_AFTER) throw new Error("The service was busy for 10 minutes. Continue the import later.");
    const seconds = Number(answer?.headers.get("Retry-After")) || Math.min(2 ** tries, 30);
    await pause(Math.min(seconds, LONGEST_WAIT), answer ? "The service is busy" : "The service cannot be reached");
  }
}

async function send(address, body) {
  const answer = await call(address, body);
  if (answer.status === 403) throw new Error("Your session has changed. Load this page again, choose the same file and continue.");
  if (!answer.ok) throw new Error("The service rejected this part of the file. Check that the file is CSV in UTF-8 and try again; rows that were already imported are only updated.");
  return answer;
}
