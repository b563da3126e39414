// One point: its axes, its results, what it says.

class PointView {
  constructor(study) {
    this.study = study;
    this.root = el("dialog", {class: "point", "aria-label": "point", onclose: () => choose({point: ""})});
  }

  show(row) {
    const {study} = this;
    const number = study.column("point").at(row);
    choose({point: String(number)});
    const message = study.column("message")?.text(row);
    const rows = role => study.columns.filter(column => role.includes(column.role)).map(column =>
      el("tr", {title: column.doc}, el("th", {scope: "row"}, column.name), el("td", {class: column.isText ? "" : "number"}, column.text(row) || "none")));
    const varying = study.axes.map(column => el("tr", {title: column.doc}, el("th", {scope: "row"}, column.name), el("td", {}, column.text(row))));
    this.tables = el("div", {});
    const part = (title, lines, open) => lines.length ? el("details", {open}, el("summary", {}, title), el("table", {class: "plain"}, el("tbody", {}, lines))) : "";
    purge(this.root);
    this.root.replaceChildren(
      el("form", {method: "dialog"}, el("button", {autofocus: true}, "Close")),
      el("h3", {}, `Point ${number} of ${study.about.id}`),
      message ? el("p", {class: "message"}, message) : "",
      part("What varies", varying, true), this.tables, part("Metrics", rows(["metric"]), true),
      part("Labels and references", rows(["label", "reference"]), !study.axes.length), part("All axes", rows(["axis"]), false));
    if (!this.root.open) this.root.showModal();
    this.showTables(number);
  }

  /** The timelines of the point, below its other data. */
  async showTables(number) {
    const {study: {about}, tables} = this;
    if (!about.tables?.length) return;
    const charts = (await Promise.all(about.tables.map(table => timelineOf(table, number)))).filter(Boolean);
    tables.append(...charts.map(chart => chart.node));
    charts.forEach(chart => chart.draw());
    if (charts.length < about.tables.length) tables.append(this.absent(number));
  }

  /** Where to get the timeline that is not here. */
  absent(number) {
    const {about} = this.study;
    const schedules = about.tables.some(table => table.roles.start);
    return el("p", {class: "note"}, schedules ? "The timeline of this point is not in this page. This command evaluates the point again with it: " : "The parts of this point are not in this page.",
      schedules ? el("code", {}, `pimsweep trace ${about.file} --study ${about.id} --point ${number} -o trace.json`) : "");
  }
}
