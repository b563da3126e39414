// Charts of many points are painted pixel by pixel: 100,000 points take some milliseconds, and need no graphics card.

/** A scale from numbers to pixels. */
class Scale {
  constructor(low, high, from, to, log) {
    if (!(low <= high)) [low, high] = [0, 1];
    this.log = log && low > 0;
    [low, high] = this.log ? [Math.log10(low), Math.log10(high)] : [low, high];
    const margin = high > low ? 0.03 * (high - low) : 0.5;
    Object.assign(this, {low: low - margin, high: high + margin, from, to});
    this.factor = (to - from) / (this.high - this.low);
  }

  pixel(value) { return this.from + ((this.log ? Math.log10(value) : value) - this.low) * this.factor; }

  value(pixel) {
    const value = this.low + (pixel - this.from) / this.factor;
    return this.log ? 10 ** value : value;
  }

  /** Round numbers, some `count` of them. */
  ticks(count) {
    return this.log ? this.powers(count) ?? this.steps(count) : this.steps(count);
  }

  steps(count) {
    const [low, high] = this.log ? [10 ** this.low, 10 ** this.high] : [this.low, this.high];
    const rough = (high - low) / count, size = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(factor => factor * size).find(one => one >= rough);
    const found = [];
    for (let i = Math.ceil(low / step); i * step <= high; ++i) found.push(Number((i * step).toPrecision(12)));
    return found;
  }

  powers(count) {
    for (const factors of [[1], [1, 3], [1, 2, 5]]) {
      const found = [];
      for (let exponent = Math.floor(this.low); exponent <= this.high; ++exponent) {
        for (const factor of factors) {
          const tick = Number(`${factor}e${exponent}`);
          if (Math.log10(tick) >= this.low && Math.log10(tick) <= this.high) found.push(tick);
        }
      }
      if (found.length >= 3) return found.filter((_, i) => i % Math.ceil(found.length / (count + 3)) === 0);
    }
    return undefined;
  }
}

/** A canvas as wide as its place, sharp on every screen; `paint(context, width, height)` draws it. */
class Canvas {
  constructor(label, height, paint) {
    Object.assign(this, {paint, height});
    this.node = el("canvas", {role: "img", "aria-label": label, tabindex: "0"});
    this.root = el("div", {class: "chart"}, this.node);
    new ResizeObserver(() => this.root.clientWidth !== this.width && this.draw()).observe(this.root);
  }

  draw() {
    this.width = this.root.clientWidth;
    if (!this.width) return;
    this.ratio = window.devicePixelRatio || 1;
    this.node.width = Math.round(this.width * this.ratio);
    this.node.height = Math.round(this.height * this.ratio);
    this.node.style.height = `${this.height}px`;
    const context = this.node.getContext("2d", {willReadFrequently: true});
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.lineWidth = 1;
    this.paint(context, this.width, this.height);
  }
}

/** The colors of points by a column: legend entries, and a function from a row to a color. */
function coloring(column, rows) {
  const palette = categories();
  if (!column) return {legend: [], color: () => palette[3]};
  const values = column.different(palette.length) ?? (column.isText ? column.different(Infinity) : undefined);
  if (values) {
    const colors = values.map((_, i) => palette[i] ?? OTHERS);
    const byCode = column.values.map(value => colors[values.indexOf(value)]);
    const legend = values.slice(0, palette.length).map((value, i) => ({text: column.show(value ?? NaN) || "none", color: colors[i]}));
    if (values.length > palette.length) legend.push({text: plural(values.length - palette.length, "other"), color: OTHERS});
    return {legend, color: row => byCode[column.codes[row]]};
  }
  const [low, high] = column.range(rows);
  const log = low > 0 && high / low > 100;
  const share = log ? value => Math.log(value / low) / Math.log(high / low) : value => (value - low) / (high - low || 1);
  const shades = Array.from({length: 256}, (_, i) => shade(i / 255));
  const numbers = column.numeric;
  return {legend: [{from: column.show(low), to: column.show(high), log}],
          color: row => Number.isNaN(numbers[row]) ? OTHERS : shades[Math.round(255 * share(numbers[row]))] ?? OTHERS};
}

/** A legend as elements. */
function legendOf(column, entries) {
  if (!column) return el("div", {class: "legend"});
  const items = entries.map(entry => "text" in entry
    ? el("span", {}, el("i", {style: `background: ${css(entry.color)}`}), entry.text)
    : el("span", {}, entry.from, el("i", {class: "ramp", style: `background: linear-gradient(90deg, ${CIVIDIS.map(css)})`}), entry.to,
      entry.log ? " (logarithmic)" : ""));
  return el("div", {class: "legend"}, el("span", {}, `${column.name}:`), items);
}
