// Numbers as people read them: four digits and a prefix of the unit.

const PREFIXES = {"-15": "f", "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"};
const POWERS = {f: 1e-15, p: 1e-12, n: 1e-9, u: 1e-6, "µ": 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15};
const PREFIXED = /^(s|J|W|B|Hz|FLOP|op|bit)\b/;

/** A number with at most so many digits, without needless zeros. */
function digits(value, count = 4) {
  const size = Math.abs(value);
  if (size && (size < 1e-4 || size >= 1e15)) return Number(value.toPrecision(count)).toExponential();
  if (Number.isInteger(value)) return size >= 1e4 ? value.toLocaleString("en") : String(value);
  return size >= 1e4 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(count)));
}

/** A number beside an axis, where there is little room. */
const tickText = value => Math.abs(value) >= 1e6 ? Number(value.toPrecision(3)).toExponential().replace("+", "") : digits(value);

/** The power of ten of the prefix that fits a value. */
const power = value => value ? Math.max(-15, Math.min(15, 3 * Math.floor(Math.log10(Math.abs(value) * 1.00005) / 3))) : 0;

function quantity(value, unit) {
  if (Number.isNaN(value)) return "";
  if (!PREFIXED.test(unit)) return digits(value) + (unit ? ` ${unit}` : "");
  const exponent = power(value);
  return `${digits(value / 10 ** exponent)} ${PREFIXES[exponent]}${unit}`;
}

/** The scale and the label of an axis of a chart whose values go up to `largest`. */
function scaled(column, largest) {
  const exponent = PREFIXED.test(column.unit) ? power(largest) : 0;
  const unit = `${PREFIXES[exponent]}${column.unit}`;
  return {factor: 10 ** -exponent, label: unit ? `${column.name} (${unit})` : column.name};
}

/** The number in a text such as "1.5e-3", "2 ms" or "800 MHz"; NaN if it is none. */
function parsed(text, unit) {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(\S*)\s*$/i.exec(text);
  if (!found) return NaN;
  const [, number, word] = found;
  if (!word || word === unit) return Number(number);
  const rest = word.slice(1);
  return word[0] in POWERS && (rest === unit || rest === "") ? Number(number) * POWERS[word[0]] : NaN;
}
