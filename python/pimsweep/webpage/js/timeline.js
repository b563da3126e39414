// What a point does over time, as its study's detail tables have it.

const MAX_BOXES = 1500;
const MAX_LINES_OF_TIME = 60;

/** The rows of a detail table that belong to a point: {lane, name, start, end}. */
async function boxesOf(table, point) {
  table.loaded ??= Promise.all(table.columns.map(column => Column.load(column, table.rows)));
  const columns = new Map((await table.loaded).map(column => [column.name, column]));
  const owners = columns.get("point").numeric;
  const of = role => (table.roles[role] ?? []).map(name => columns.get(name));
  const words = (role, row) => of(role).map(column => column.isText ? column.text(row) : `${column.name} ${column.text(row)}`).join(" ");
  const [start, end, duration] = ["start", "end", "duration"].map(role => of(role)[0]);
  const ends = new Map();
  const found = [];
  for (let row = 0; row < owners.length; ++row) {
    if (owners[row] !== point) continue;
    const lane = [words("group", row), words("lane", row)].filter(Boolean).join(" ");
    const from = start ? start.numeric[row] : ends.get(lane) ?? 0;
    const to = end ? end.numeric[row] : from + duration.numeric[row];
    ends.set(lane, to);
    found.push({lane, name: words("name", row), start: from, end: to});
  }
  return found;
}

/** Gives boxes that overlap in a lane a row each: adds `line`, and returns the label of each line. */
function stack(boxes) {
  const lanes = new Map();
  for (const box of [...boxes].sort((a, b) => a.start - b.start)) {
    if (!lanes.has(box.lane)) lanes.set(box.lane, []);
    const rows = lanes.get(box.lane);
    const free = rows.findIndex(end => end <= box.start * (1 + 1e-12));
    box.row = free < 0 ? rows.length : free;
    rows[box.row] = box.end;
  }
  const first = new Map();
  const labels = [];
  for (const [lane, rows] of [...lanes].sort(([a], [b]) => a.localeCompare(b, "en", {numeric: true}))) {
    first.set(lane, labels.length);
    labels.push(...rows.map((_, i) => i ? "" : lane));
  }
  for (const box of boxes) box.line = first.get(box.lane) + box.row;
  return labels;
}

/** A chart of a detail table for one point; undefined if the table lacks rows for it. */
async function timelineOf(table, point) {
  const all = table.columns ? await boxesOf(table, point) : [];
  if (!all.length) return undefined;
  let boxes = all.length > MAX_BOXES ? [...all].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MAX_BOXES) : all;
  const lines = stack(boxes);
  const labels = lines.slice(0, MAX_LINES_OF_TIME);
  boxes = boxes.filter(box => box.line < labels.length);
  const exponent = power(Math.max(...boxes.map(box => box.end)));
  const factor = 10 ** -exponent;
  const colors = categories();
  const names = [...new Set(boxes.map(box => box.name))];
  const node = el("div", {class: "plot"});
  const traces = [{type: "bar", orientation: "h", base: boxes.map(box => box.start * factor), x: boxes.map(box => (box.end - box.start) * factor),
    y: boxes.map(box => box.line), width: 0.8, marker: {color: boxes.map(box => css(colors[names.indexOf(box.name) % colors.length])), line: {width: 0.5, color: theme.color("ground")}},
    text: boxes.map(box => escaped(box.name)), textposition: "inside", insidetextanchor: "middle",
    hovertext: boxes.map(box => escaped(`${box.name}: ${quantity(box.start, "s")} to ${quantity(box.end, "s")} (${quantity(box.end - box.start, "s")})`)),
    hovertemplate: "%{hovertext}<extra></extra>"}];
  const draw = () => plot(node, traces, {height: 90 + 28 * labels.length, margin: {l: Math.min(220, 20 + 7 * Math.max(...labels.map(label => label.length))), r: 20, t: 34, b: 50}, barmode: "overlay", showlegend: false,
    uniformtext: {mode: "hide", minsize: 8}, xaxis: {title: `time (${PREFIXES[exponent]}s)`, automargin: false},
    yaxis: {tickvals: labels.map((_, i) => i), ticktext: labels.map(escaped), range: [labels.length - 0.5, -0.5], showgrid: false, automargin: false}});
  const notes = [table.roles.duration ? "Durations, one after the other in each lane: the results hold no schedule." : "",
                 boxes.length < all.length ? `The ${MAX_BOXES} longest of ${plural(all.length, "interval")}.` : "",
                 labels.length < lines.length ? `The first ${MAX_LINES_OF_TIME} of ${lines.length} lanes.` : ""].filter(Boolean).join(" ");
  return {node: el("section", {}, el("h4", {}, `${table.name} of point ${point}`), node, notes ? el("p", {class: "note"}, notes) : ""), draw};
}
