// The first view: a metric over an axis as lines or bars, a color for each value of a second axis, a panel for each of a third.

const MAX_TICKS = 64, MAX_SERIES = 12, MAX_CHARTS = 9;
/**
 * A logarithmic axis from low to high of some length; a label takes `room` of it, in pixels. Its ticks are at 1, 2 and 5 where they have room,
 * else at powers of ten. With a format, they are whole numbers: 20, not a small 2.
 */
function logAxis(low, high, length, room) {
  const decades = Math.log10(high / low);
  const spacing = 3 * decades * room > length ? 0.9 : 0.4;
  return {type: "log", tickformat: "~g", nticks: decades < 1 ? 4 : Math.ceil(decades / spacing)};
}
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];

class Chart {
  constructor(study, show) {
    Object.assign(this, {study, show});
    this.node = el("div", {class: "plot"});
    this.note = el("p", {class: "note"});
    this.root = el("div", {}, this.controls(), this.node, this.note);
  }

  /** Metrics with numbers, and sides by which they can be drawn. */
  static metrics(study) { return study.numeric.filter(column => column.role !== "axis"); }
  static sides(study) {
    const isSide = column => ["axis", "label"].includes(column.role) && column.name !== "draw" && column.different(MAX_TICKS)?.length > 1;
    return [...study.axes.filter(column => column && !column.isConstant), ...study.varying.filter(column => column.role === "label")].filter(isSide);
  }
  static fits(study) { return Chart.metrics(study).length > 0 && Chart.sides(study).length > 0; }

  get metric() { return this.study.column(chosen("cm")) ?? Chart.metrics(this.study)[0]; }

  /** The number with most values, or else the text with most. */
  get x() {
    const sides = Chart.sides(this.study);
    const longest = some => some.reduce((a, b) => b.different(MAX_TICKS).length > (a?.different(MAX_TICKS).length ?? 0) ? b : a, undefined);
    return this.study.column(chosen("cx")) ?? longest(sides.filter(column => !column.isText)) ?? longest(sides);
  }

  few(most, taken) { return Chart.sides(this.study).filter(column => !taken.includes(column) && column.different(most)); }

  get series() {
    if (chosen("cl") === "none") return undefined;
    const few = this.few(MAX_SERIES, [this.x]);
    return this.study.column(chosen("cl")) ?? few.find(column => column.name === "policy") ?? few.find(column => column.isText) ?? few[0];
  }

  get panels() {
    if (chosen("cp") === "none") return undefined;
    return this.study.column(chosen("cp")) ?? this.few(MAX_CHARTS, [this.x, this.series])[0];
  }

  get isBars() { return (chosen("ck") || (this.x.isText ? "bars" : "lines")) === "bars"; }

  controls() {
    const names = some => some.map(column => [column.name, column.name]);
    const set = name => value => { choose({[name]: value}); this.update(); };
    const none = [["none", "none"]];
    return el("div", {class: "controls"}, choice("metric", names(Chart.metrics(this.study)), this.metric.name, set("cm")),
      choice("over", names(Chart.sides(this.study)), this.x.name, set("cx")),
      choice("color", [...none, ...names(this.few(MAX_SERIES, []))], this.series?.name ?? "none", set("cl")),
      choice("panels", [...none, ...names(this.few(MAX_CHARTS, []))], this.panels?.name ?? "none", set("cp")),
      choice("as", [["lines", "lines"], ["bars", "bars"]], this.isBars ? "bars" : "lines", set("ck")));
  }

  /** The best row at each place: [panel, series, x] by their codes. */
  best() {
    const {study, metric, x, series, panels} = this;
    const places = new Map();
    let most = 0;
    for (const row of study.found) {
      const value = metric.numeric[row];
      if (Number.isNaN(value)) continue;
      const key = [panels?.codes[row] ?? 0, series?.codes[row] ?? 0, x.codes[row]].join();
      const place = places.get(key) ?? {row, count: 0};
      if (value < metric.numeric[place.row]) place.row = row;
      places.set(key, {row: place.row, count: place.count + 1});
      most = Math.max(most, place.count + 1);
    }
    return {places, most};
  }

  async update() {
    const {study, metric, x, series, panels, isBars} = this;
    const {places, most} = this.best();
    const across = x.different(MAX_TICKS), lines = series?.different(MAX_SERIES) ?? [undefined], boxes = panels?.different(MAX_CHARTS) ?? [undefined];
    const code = (column, value) => column ? column.values.indexOf(value) : 0;
    const unit = scaled(metric, metric.range(study.found)[1]);
    const width = scaled(x, x.range(study.found)[1]);
    const drawn = [...places.values()].map(({row}) => metric.numeric[row]);
    const low = Math.min(...drawn), high = Math.max(...drawn);
    const isLog = !isBars && low > 0 && high / low > 50;
    const columns = this.root.clientWidth < 700 ? 1 : Math.min(boxes.length, boxes.length === 4 ? 2 : 3), rows = Math.ceil(boxes.length / columns);
    const colors = categories(), named = new Set();
    const traces = boxes.flatMap((box, p) => lines.map((line, s) => {
      const found = across.map(value => [value, places.get([code(panels, box), code(series, line), code(x, value)].join())?.row]).filter(([, row]) => row !== undefined);
      const color = css(colors[s % colors.length]);
      const name = series ? series.show(line ?? NaN) : metric.name;
      // In the first panel that the series has points in.
      const showlegend = Boolean(series) && found.length > 0 && !named.has(name);
      if (showlegend) named.add(name);
      return {type: isBars ? "bar" : "scatter", mode: "lines+markers", name, legendgroup: name, showlegend,
        x: found.map(([value]) => isBars ? escaped(x.show(value ?? NaN)) : value * width.factor), y: found.map(([, row]) => metric.numeric[row] * unit.factor),
        customdata: found.map(([, row]) => row), text: found.map(([, row]) => escaped(`${name}: ${metric.text(row)}`)), hovertemplate: "%{x}: %{text}<extra></extra>",
        line: {color, dash: DASHES[s % DASHES.length], width: 1.8}, marker: {color, symbol: isBars ? undefined : s, size: 7, pattern: {shape: ["", "/", "\\", "x", ".", "-", "|", "+"][isBars ? s % 8 : 0]}},
        textposition: "none", xaxis: `x${p ? p + 1 : ""}`, yaxis: `y${p ? p + 1 : ""}`};
    }));
    const inside = Math.max(260, 240 * rows);
    const layout = {height: inside + 130, barmode: "group", legend: {orientation: "h", y: 1 + 22 / inside, yanchor: "bottom"}, margin: {l: 60, r: 10, t: 80, b: 50},
      annotations: boxes.map((box, p) => ({text: panels ? escaped(`${panels.name} ${panels.show(box ?? NaN)}`) : "", showarrow: false, xref: `x${p ? p + 1 : ""} domain`,
        yref: `y${p ? p + 1 : ""} domain`, x: 0, y: 1, xanchor: "left", yanchor: "bottom", font: {size: 12}}))};
    boxes.forEach((_, p) => {
      const column = p % columns, row = Math.floor(p / columns), gap = 0.07;
      const left = column * (1 + gap) / columns;
      const height = 1 / (rows + 0.18 * (rows - 1)), top = 1 - row * height * 1.18;
      const name = p ? p + 1 : "";
      layout[`xaxis${name}`] = {...axisStyle(), domain: [left, left + (1 + gap) / columns - gap], anchor: `y${name}`, type: isBars ? "category" : "linear",
        showticklabels: p + columns >= boxes.length, ...(p ? {matches: "x"} : {}), ...(isBars ? {categoryorder: "array", categoryarray: across.map(value => escaped(x.show(value ?? NaN)))}
          : {tickvals: across.length <= 8 ? across.map(value => value * width.factor) : undefined, ...(this.isSpread(across) ? logAxis(across[0], across.at(-1), this.root.clientWidth / columns - 80, 40) : {type: "linear"})}),
        title: p + columns >= boxes.length ? escaped(isBars ? x.name : width.label) : ""};
      layout[`yaxis${name}`] = {...axisStyle(), domain: [Math.max(0, top - height), top], anchor: `x${name}`, title: column === 0 ? escaped(unit.label) : "", ...(p ? {matches: "y"} : {}),
        ...(isLog ? logAxis(low, high, 180, 20) : {type: "linear", rangemode: "tozero"})};
    });
    await plot(this.node, traces, layout);
    this.node.removeAllListeners("plotly_click");
    this.node.on("plotly_click", event => this.show(event.points[0].customdata));
    this.note.textContent = `${most > 1 ? `The best (smallest) of up to ${most} points at each place. ` : ""}A click on a mark shows its point.`;
  }

  /** Numbers over so wide a range that small ones need a logarithmic axis. */
  isSpread(values) {
    const numbers = values.map(Number);
    return Math.min(...numbers) > 0 && Math.max(...numbers) / Math.min(...numbers) > 30;
  }
}
