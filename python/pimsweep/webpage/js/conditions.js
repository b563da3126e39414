// What is typed to filter by: conditions on a column, and words that any column has.

const CONDITIONS = "Numbers: < 2 ms, >= 4, = 8, 1..4, 8 | 16. Texts: part, = whole, a | b, ! not. A comma means and.";
const COMPARE = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** Equal as shown, so that a value can be typed as it is read. */
const near = (a, b) => a === b || Math.abs(a - b) <= 5e-4 * Math.abs(b);

function numberCondition(text, unit) {
  const range = text.split("..");
  if (range.length === 2) {
    const [low, high] = [range[0].trim() ? parsed(range[0], unit) : -Infinity, range[1].trim() ? parsed(range[1], unit) : Infinity];
    return Number.isNaN(low) || Number.isNaN(high) ? undefined : value => value >= low && value <= high;
  }
  const [, sign, rest] = /^\s*(<=|>=|!=|<|>|=|!)?(.*)$/.exec(text);
  const bound = parsed(rest, unit);
  if (Number.isNaN(bound)) return undefined;
  if (!sign || sign === "=") return value => near(value, bound);
  if (sign === "!" || sign === "!=") return value => !near(value, bound);
  return value => COMPARE[sign](value, bound);
}

function textCondition(text) {
  const [, sign, rest] = /^\s*(!=|!|=)?\s*(.*?)\s*$/.exec(text);
  const word = rest.toLowerCase();
  const holds = sign?.endsWith("=") ? value => value.toLowerCase() === word : value => value.toLowerCase().includes(word);
  return sign?.startsWith("!") ? value => !holds(value) : holds;
}

/** A test of values of a column; undefined if the text is not understood. */
function condition(column, text) {
  const all = text.split(",").filter(part => part.trim()).map(part => {
    const any = part.split("|").map(one => column.isText ? textCondition(one) : numberCondition(one, column.unit));
    return any.includes(undefined) ? undefined : value => any.some(holds => holds(value));
  });
  return all.includes(undefined) ? undefined : value => all.every(holds => holds(value));
}

/** Clears the rows of a mask in which a condition does not hold. */
function restrict(mask, column, holds) {
  if (column.values) {
    const held = column.values.map(value => holds(value === null ? NaN : value) ? 1 : 0);
    for (let i = 0; i < mask.length; ++i) mask[i] &= held[column.codes[i]];
  } else {
    for (let i = 0; i < mask.length; ++i) mask[i] &= holds(column.numbers[i]) ? 1 : 0;
  }
}

/** Clears the rows of a mask that lack one of some words: texts and axes that vary have words, results do not. */
function restrictToWords(mask, columns, text) {
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = new Uint8Array(mask.length);
    for (const column of columns.filter(one => !one.isConstant && one.values && (one.isText || one.role === "axis"))) {
      const held = column.values.map(value => column.show(value).toLowerCase().includes(word) ? 1 : 0);
      if (held.includes(1)) for (let i = 0; i < found.length; ++i) found[i] |= held[column.codes[i]];
    }
    for (let i = 0; i < mask.length; ++i) mask[i] &= found[i];
  }
}
