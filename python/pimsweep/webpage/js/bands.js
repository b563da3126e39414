// Bands: the range of a metric along an axis, from columns METRIC_low and METRIC_high, or over the axis `draw`.

const MAX_GROUPS = 7;

/** Metrics with a range: {name, low, middle, high} of columns, or {name, draws} of one. */
function rangesOf(study) {
  const stored = study.columns.filter(column => column.name.endsWith("_low") && study.column(column.name.replace(/_low$/, "_high"))).map(low => {
    const name = low.name.replace(/_low$/, "");
    return {name, low, high: study.column(`${name}_high`), middle: study.column(`${name}_median`) ?? study.column(name)};
  });
  if (stored.length || !study.column("draw") || study.column("draw").isConstant) return stored;
  return study.numeric.filter(column => column.role === "metric").map(column => ({name: column.name, draws: column}));
}

const quantile = (sorted, share) => sorted[Math.round(share * (sorted.length - 1))];

class Bands {
  constructor(study) {
    this.study = study;
    this.ranges = rangesOf(study);
    this.node = el("div", {class: "plot"});
    this.note = el("p", {class: "note"});
    this.root = el("div", {}, this.controls(), this.node, this.note);
  }

  get range() { return this.ranges.find(one => one.name === chosen("bm")) ?? this.ranges[0]; }

  get sides() { return this.study.axes.filter(column => column.name !== "draw" && !column.isText); }

  get x() { return this.study.column(chosen("bx")) ?? this.sides[0]; }

  controls() {
    const set = name => value => { choose({[name]: value}); this.update(); };
    const groups = this.study.varying.filter(column => column.name !== "draw" && column.different(MAX_GROUPS)).map(column => [column.name, column.name]);
    return el("div", {class: "controls"}, choice("metric", this.ranges.map(one => [one.name, one.name]), this.range?.name, set("bm")),
      choice("x", this.sides.map(column => [column.name, column.name]), this.x?.name, set("bx")),
      choice("color", [["", "none"], ...groups], chosen("bc"), set("bc")));
  }

  /** For each value of x in order: low, middle and high. */
  line(rows) {
    const {x, range} = this;
    const byX = new Map();
    for (const row of rows) {
      const at = x.numeric[row];
      if (!byX.has(at)) byX.set(at, []);
      byX.get(at).push(row);
    }
    const sorted = (column, some) => some.map(row => column.numeric[row]).filter(value => !Number.isNaN(value)).sort((a, b) => a - b);
    const middle = (column, some) => column && quantile(sorted(column, some), 0.5);
    return [...byX].sort(([a], [b]) => a - b).map(([at, some]) => {
      if (!range.draws) return {at, low: middle(range.low, some), middle: middle(range.middle, some), high: middle(range.high, some)};
      const values = sorted(range.draws, some);
      return {at, low: quantile(values, 0.05), middle: quantile(values, 0.5), high: quantile(values, 0.95)};
    }).filter(one => one.low !== undefined);
  }

  async update() {
    const {study, range, x} = this;
    const column = study.column(chosen("bc"));
    const groups = column?.different(MAX_GROUPS) ?? [undefined];
    const colors = categories();
    const unit = scaled({name: range.name, unit: (range.draws ?? range.low).unit}, (range.draws ?? range.high).range(study.found)[1]);
    const across = scaled(x, x.range(study.found)[1]);
    const traces = groups.flatMap((value, i) => {
      const rows = column ? [...study.found].filter(row => column.codes[row] === column.values.indexOf(value)) : [...study.found];
      const line = this.line(rows);
      const name = column ? column.show(value) : range.name;
      const side = (key, more) => ({type: "scatter", x: line.map(one => one.at * across.factor), y: line.map(one => one[key] * unit.factor), name, ...more});
      const color = css(colors[i]);
      return [side("low", {mode: "lines", line: {width: 0, color}, showlegend: false, hoverinfo: "skip"}),
              side("high", {mode: "lines", line: {width: 0, color}, fill: "tonexty", fillcolor: color.replace("rgb", "rgba").replace(")", ",0.25)"), showlegend: false, hoverinfo: "skip"}),
              side("middle", {mode: "lines+markers", line: {color}, marker: {symbol: i}, showlegend: Boolean(column)})];
    });
    await plot(this.node, traces, {xaxis: {title: escaped(across.label)}, yaxis: {title: escaped(unit.label)}});
    this.note.textContent = range.draws ? "Line: median over the draws; band: from 5 % to 95 % of them."
      : `Line: median; band: from ${range.low.name} to ${range.high.name}. Points with the same ${x.name}: the median of each.`;
  }
}
