// A study: its columns, and the rows that fulfill the conditions.

class Study {
  constructor(about, columns) {
    Object.assign(this, {about, columns, rows: about.shown});
    this.byName = new Map(columns.map(column => [column.name, column]));
    this.mask = new Uint8Array(this.rows);
    this.filter();
  }

  static async load(about) {
    return new Study(about, await Promise.all(about.columns.map(column => Column.load(column, about.shown))));
  }

  column(name) { return this.byName.get(name); }

  /** Finds the rows that satisfy all conditions of the state; returns the names of columns with an invalid condition. */
  filter() {
    const wrong = [];
    this.mask.fill(1);
    for (const [name, text] of filters()) {
      const column = this.column(name);
      const holds = column && condition(column, text);
      if (holds) restrict(this.mask, column, holds);
      else wrong.push(name);
    }
    restrictToWords(this.mask, this.columns, chosen("words"));
    const found = new Uint32Array(this.rows);
    let count = 0;
    for (let i = 0; i < this.rows; ++i) if (this.mask[i]) found[count++] = i;
    this.found = found.subarray(0, count);
    return wrong;
  }

  /** The found rows by a column; "-name" puts the largest first, rows without a number come last. */
  sorted(by) {
    const column = this.column(by.replace(/^-/, ""));
    if (!column) return this.found;
    const numbers = column.numeric;
    const kept = column.order.filter(row => this.mask[row] === 1);
    if (!by.startsWith("-")) return kept;
    let missing = kept.length;
    while (missing > 0 && Number.isNaN(numbers[kept[missing - 1]])) --missing;
    kept.subarray(0, missing).reverse();
    return kept;
  }

  /** Columns that differ between points and have numbers, the main metrics first. */
  get numeric() {
    this.drawn ??= [...this.varying.filter(column => !column.isText && column.role !== "axis"),
                    ...this.varying.filter(column => !column.isText && column.role === "axis")];
    return this.drawn;
  }

  /** Columns that are not the same in all points: main metrics, other metrics, axes and labels. */
  get varying() {
    const rank = column => this.about.main.includes(column.name) ? 0 : column.role === "metric" ? 1 : 2;
    this.varied ??= this.columns.filter(column => !column.isConstant && column.role !== "identity" && column.role !== "point")
      .sort((a, b) => rank(a) - rank(b));
    return this.varied;
  }

  get axes() { return this.about.axes.map(name => this.column(name)); }

  /** Which points are shown, in words. */
  get note() {
    const {size, shown, objectives} = this.about;
    if (shown === size) return "";
    return `${shown.toLocaleString("en")} of ${plural(size, "point")}: drawn at random with a fixed seed, together with all points of ` +
      `the Pareto fronts of each two of ${objectives.join(", ")}. Best points and these fronts are those of all points; ` +
      "with a filter, of the points in this page.";
  }
}

/** The rows of the Pareto front of two columns of numbers; signs are 1 where smaller is better, else -1. */
function front(x, y, rows, signX = 1, signY = 1) {
  const numbers = x.numeric, others = y.numeric;
  let order = x.order;
  if (signX < 0) order = order.slice().reverse();
  const inside = new Uint8Array(numbers.length);
  for (const row of rows) inside[row] = 1;
  const found = [];
  let best = Infinity, last = NaN;
  for (const row of order) {
    const value = signY * others[row];
    if (!inside[row] || !(value < best) || Number.isNaN(numbers[row])) continue;
    // Of points with the same first number, the last that came is the best.
    if (numbers[row] === last) found.pop();
    found.push(row);
    best = value;
    last = numbers[row];
  }
  return found;
}
