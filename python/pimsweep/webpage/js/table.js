// The table: only visible rows are in the document.

const ROW_HEIGHT = 28;
const MAX_COLUMNS = 24;

class Table {
  constructor(study, show) {
    Object.assign(this, {study, show, cursor: 0, column: 0});
    this.body = el("tbody", {});
    this.before = el("tr", {"aria-hidden": "true"}, el("td", {}));
    this.after = el("tr", {"aria-hidden": "true"}, el("td", {}));
    this.head = el("thead", {});
    this.grid = el("table", {role: "grid", "aria-label": `points of ${study.about.id}`}, this.head, this.body);
    this.scroller = el("div", {class: "scroller", tabindex: "0", "aria-label": "points; arrow keys move, Enter shows a point",
      onscroll: () => this.draw(), onkeydown: event => this.key(event)}, this.grid);
    this.root = el("div", {}, this.chooser(), this.scroller);
    this.header();
    this.update();
  }

  /** The columns shown: those that were chosen, or point, axes, main metrics, status and message. */
  get columns() {
    const {study} = this;
    const named = chosen("columns", study.about.usual?.join(",")).split(",").filter(name => study.column(name));
    if (named.length) return named.map(name => study.column(name));
    const main = study.about.main.map(name => study.column(name));
    const others = study.varying.filter(column => ["label", "status"].includes(column.role));
    const usual = [study.column("point"), ...study.axes, ...main, ...others].filter(column => column && !column.isConstant);
    const metrics = study.varying.filter(column => column.role === "metric" && !usual.includes(column));
    return (usual.length ? [...usual, ...metrics.slice(0, Math.max(0, 12 - usual.length))] : study.columns).slice(0, MAX_COLUMNS);
  }

  chooser() {
    const names = this.study.columns.map(column => column.name);
    const boxes = el("div", {class: "boxes"});
    const fill = () => boxes.replaceChildren(...names.map(name => check(name, this.columns.some(one => one.name === name), on => {
      const now = this.columns.map(one => one.name);
      choose({columns: (on ? [...now, name] : now.filter(one => one !== name)).join(",")});
      this.header();
      this.update();
    })));
    return el("details", {class: "columns", ontoggle: fill}, el("summary", {}, "Columns"), boxes);
  }

  header() {
    const now = chosen("sort");
    const title = column => {
      const sign = now === column.name ? "ascending" : now === `-${column.name}` ? "descending" : "none";
      const mark = {ascending: " ▲", descending: " ▼", none: ""}[sign];
      return el("th", {scope: "col", "aria-sort": sign, title: column.doc}, el("button", {type: "button", onclick: () => this.sort(column.name)},
        column.name + mark));
    };
    const input = column => {
      const field = el("input", {type: "search", "aria-label": `filter ${column.name}`, title: CONDITIONS, "data-column": column.name,
        placeholder: column.isText ? "contains" : "e.g. < 1", oninput: () => setFilter(column.name, field.value)});
      field.value = chosen(FILTER + column.name);
      return el("th", {}, field);
    };
    this.head.replaceChildren(el("tr", {}, this.columns.map(title)), el("tr", {class: "filters"}, this.columns.map(input)));
  }

  sort(name) {
    const now = chosen("sort");
    choose({sort: now === name ? `-${name}` : now === `-${name}` ? "" : name});
    const focused = this.columns.findIndex(column => column.name === name);
    this.header();
    this.head.querySelectorAll("button")[focused]?.focus();
    this.update();
  }

  update() {
    this.order = chosen("sort") ? this.study.sorted(chosen("sort")) : this.study.found;
    this.cursor = Math.min(this.cursor, Math.max(0, this.order.length - 1));
    this.grid.setAttribute("aria-rowcount", this.order.length);
    this.draw();
  }

  draw() {
    const {order, scroller} = this;
    const first = Math.max(0, Math.min(Math.floor(scroller.scrollTop / ROW_HEIGHT) - 4, order.length - 1));
    const count = Math.ceil((scroller.clientHeight || 600) / ROW_HEIGHT) + 8;
    const shown = order.subarray(first, first + count);
    this.before.firstChild.style.height = `${first * ROW_HEIGHT}px`;
    this.after.firstChild.style.height = `${Math.max(0, order.length - first - shown.length) * ROW_HEIGHT}px`;
    const columns = this.columns;
    const rows = Array.from(shown, (row, i) => el("tr", {"aria-rowindex": first + i + 1, "aria-selected": String(first + i === this.cursor),
      onclick: () => { this.cursor = first + i; this.draw(); this.show(row); }},
    columns.map(column => el("td", {class: column.isText ? "" : "number"}, column.text(row)))));
    this.body.replaceChildren(this.before, ...rows, this.after);
  }

  key(event) {
    if (event.target !== this.scroller) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 3);
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity}[event.key];
    if (event.key === "Enter" && this.order.length) this.show(this.order[this.cursor]);
    if (!step) return;
    event.preventDefault();
    this.cursor = Math.max(0, Math.min(this.order.length - 1, this.cursor + step));
    const top = this.cursor * ROW_HEIGHT, room = this.scroller.clientHeight - this.head.offsetHeight - ROW_HEIGHT;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    if (top > this.scroller.scrollTop + room) this.scroller.scrollTop = top - room;
    this.draw();
  }
}
