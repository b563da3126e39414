// A heat map of two columns: the best, mean or median value of a metric in each cell.

const MAX_CELLS = 64;
const SUMMARIES = {
  best: values => values.reduce((a, b) => Math.min(a, b)), largest: values => values.reduce((a, b) => Math.max(a, b)),
  mean: values => values.reduce((a, b) => a + b) / values.length,
  median: values => values.sort((a, b) => a - b)[Math.floor(values.length / 2)],
};

class HeatMap {
  constructor(study, show) {
    Object.assign(this, {study, show});
    this.node = el("div", {class: "plot"});
    this.note = el("p", {class: "note"});
    this.root = el("div", {}, this.controls(), this.node, this.note);
  }

  static sides(study) {
    return study.varying.filter(column => column.role !== "status" && column.different(MAX_CELLS)?.length > 1).sort((a, b) => (b.role === "axis") - (a.role === "axis"));
  }

  get sides() { return HeatMap.sides(this.study); }

  get x() { return this.study.column(chosen("hx")) ?? this.sides[0]; }

  get y() { return this.study.column(chosen("hy")) ?? this.sides.find(column => column !== this.x); }

  get metric() { return this.study.column(chosen("hm")) ?? this.study.numeric[0]; }

  controls() {
    const sides = this.sides.map(column => [column.name, column.name]);
    const set = name => value => { choose({[name]: value}); this.update(); };
    return el("div", {class: "controls"}, choice("x", sides, this.x?.name, set("hx")), choice("y", sides, this.y?.name, set("hy")),
      choice("metric", this.study.numeric.map(column => [column.name, column.name]), this.metric?.name, set("hm")),
      choice("value", [["best", "best (smallest)"], ["mean", "mean"], ["median", "median"], ["largest", "largest"]], chosen("hv", "best"), set("hv")));
  }

  /** Values and best row of each cell. */
  cells() {
    const {x, y, metric, study} = this;
    const values = new Map(), best = new Map();
    for (const row of study.found) {
      const value = metric.numeric[row];
      if (Number.isNaN(value)) continue;
      const cell = x.codes[row] + y.codes[row] * x.values.length;
      if (!values.has(cell)) values.set(cell, []);
      values.get(cell).push(value);
      if (!(value >= metric.numeric[best.get(cell)])) best.set(cell, row);
    }
    return {values, best};
  }

  async update() {
    const {x, y, metric, study} = this;
    const {values, best} = this.cells();
    const across = x.different(MAX_CELLS), up = y.different(MAX_CELLS);
    const cell = (a, b) => x.values.indexOf(a) + y.values.indexOf(b) * x.values.length;
    const summary = SUMMARIES[chosen("hv", "best")];
    const grid = up.map(b => across.map(a => values.has(cell(a, b)) ? summary(values.get(cell(a, b))) : null));
    const there = grid.flat().filter(value => value !== null);
    const log = there.length > 0 && Math.min(...there) > 0 && Math.max(...there) / Math.min(...there) > 30;
    const z = grid.map(line => line.map(value => value === null || !log ? value : Math.log10(value)));
    const names = (column, list) => list.map(value => escaped(column.show(value ?? NaN)));
    const ticks = log ? {tickvals: [...Array(40).keys()].map(i => i - 20), ticktext: [...Array(40).keys()].map(i => metric.show(10 ** (i - 20)))}
      : {ticksuffix: PREFIXED.test(metric.unit) ? metric.unit : ""};
    const library = await plot(this.node, [{type: "heatmap", z, x: across.map((_, i) => i), y: up.map((_, i) => i), hoverongaps: false,
      colorscale: CIVIDIS.map((color, i) => [i / (CIVIDIS.length - 1), css(color)]), text: grid.map((line, j) => line.map((value, i) => value === null ? "" :
        escaped(`${x.name} ${x.show(across[i])}, ${y.name} ${y.show(up[j])}: ${metric.show(value)}`))), hovertemplate: "%{text}<extra></extra>",
      colorbar: {title: {text: escaped(PREFIXED.test(metric.unit) || !metric.unit ? metric.name : `${metric.name} (${metric.unit})`), side: "right"}, ...ticks}}], {
      height: Math.max(300, Math.min(900, 120 + 34 * up.length)), annotations: this.labels(grid, log),
      xaxis: {title: escaped(x.name), tickvals: across.map((_, i) => i), ticktext: names(x, across), showgrid: false},
      yaxis: {title: escaped(y.name), tickvals: up.map((_, i) => i), ticktext: names(y, up), showgrid: false}});
    this.listen(library, (i, j) => best.get(cell(across[i], up[j])));
    this.note.textContent = `The ${chosen("hv", "best")} ${metric.name} over ${plural(study.found.length, "point")}, ` +
      `${log ? "colors are logarithmic; " : ""}a click shows the best point of a cell.`;
  }

  /** The value in each cell, where there is room. */
  labels(grid, log) {
    const longest = Math.max(...grid.flat().map(value => value === null ? 0 : this.metric.show(value).length));
    // Axis, color bar and margins take 250 pixels, a digit 7.
    if (grid.length * grid[0].length > MAX_CELLS || 7 * longest > (this.root.clientWidth - 250) / grid[0].length) return [];
    const there = grid.flat().filter(value => value !== null);
    const at = value => log ? Math.log(value) : value;
    const [low, high] = [Math.min(...there), Math.max(...there)].map(at);
    return grid.flatMap((line, j) => line.map((value, i) => ({x: i, y: j, text: value === null ? "" : escaped(this.metric.show(value)), showarrow: false,
      font: {size: 11, color: value !== null && (at(value) - low) / (high - low || 1) > 0.55 ? "#000" : "#fff"}})));
  }

  listen(library, rowOf) {
    this.node.removeAllListeners("plotly_click");
    this.node.on("plotly_click", event => {
      const row = rowOf(event.points[0].x, event.points[0].y);
      if (row !== undefined) this.show(row);
    });
  }
}
