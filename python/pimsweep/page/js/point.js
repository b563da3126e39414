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
      el("tr", {title: column.doc}, el("th", {scope: "row"}, column.name), el("td", {class: column.isText ? "" : "number"}, column.text(row))));
    const varying = study.axes.map(column => el("tr", {title: column.doc}, el("th", {scope: "row"}, column.name), el("td", {}, column.text(row))));
    const part = (title, lines, open) => lines.length ? el("details", {open}, el("summary", {}, title), el("table", {class: "plain"}, el("tbody", {}, lines))) : "";
    this.root.replaceChildren(
      el("form", {method: "dialog"}, el("button", {autofocus: true}, "Close")),
      el("h3", {}, `Point ${number} of ${study.about.id}`),
      message ? el("p", {class: "message"}, message) : "",
      part("What varies", varying, true), part("Metrics", rows(["metric"]), true),
      part("Labels and references", rows(["label", "reference"]), false), part("All axes", rows(["axis"]), false));
    if (!this.root.open) this.root.showModal();
  }
}
