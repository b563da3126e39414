// What the reader has chosen, kept in the address, so that a link shows the same.

const state = new URLSearchParams();
const FILTER = "where.";

const chosen = (name, usual = "") => state.get(name) ?? usual;

/** Changes the selection; an empty value means the default. */
function choose(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (value === "" || value === undefined || value === false) state.delete(name);
    else state.set(name, value);
  }
  history.replaceState(null, "", `#${state}`);
}

/** Takes what the address says; false for the address of a place in the page. */
function readAddress() {
  const text = location.hash.slice(1);
  if (text && !text.includes("=")) return false;
  for (const name of [...state.keys()]) state.delete(name);
  for (const [name, value] of new URLSearchParams(text)) state.set(name, value);
  return true;
}

/** Pairs of a column's name and the condition on it. */
const filters = () => [...state].filter(([name]) => name.startsWith(FILTER)).map(([name, text]) => [name.slice(FILTER.length), text]);
