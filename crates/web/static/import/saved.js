// The position in a file that was not imported to its end, for leaving the page and coming back. It has no contact data.

const SAVED = `import:${box.dataset.owner}`;

const saved = {
  read() {
    try {
      return JSON.parse(localStorage.getItem(SAVED));
    } catch {
      return null;
    }
  },
  write(state) {
    try {
      localStorage.setItem(SAVED, JSON.stringify(state));
    } catch {
      // Without room in the browser's storage, the import cannot be continued later.
    }
  },
  clear() {
    localStorage.removeItem(SAVED);
  },
  // Whether a file is the one that was left.
  is(state, file) {
    return state !== null && state.name === file.name && state.size === file.size && state.modified === file.lastModified;
  },
};
