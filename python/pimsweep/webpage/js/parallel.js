// Parallel coordinates: a line for each point through its axes and results. A drag along an axis filters by it.

const MAX_LINES = 2000;

class Parallel {
  constructor(study, show) {
    Object.assign(this, {study, show});
    this.canvas = new Canvas("parallel coordinates; the table has the same points", 460, (...where) => this.paint(...where));
    this.legend = el("div", {});
    this.note = el("p", {class: "note"});
    this.root = el("div", {}, this.controls(), el("div", {class: "wide"}, this.canvas.root), this.legend, this.note);
    this.listen();
  }

  /** Axes of the study, then its main metrics, or those that were chosen. */
  get columns() {
    const {study} = this;
    const named = chosen("lines").split(",").map(name => study.column(name)).filter(Boolean);
    if (named.length) return named;
    const axes = study.axes.filter(column => column.different(200) || !column.isText).slice(0, 9);
    return [...axes, ...study.about.objectives.map(name => study.column(name)).filter(column => !column.isConstant)].slice(0, 12);
  }

  get color() { return this.study.column(chosen("color")) ?? this.columns.at(-1); }

  controls() {
    const boxes = el("div", {class: "boxes"}, this.study.varying.map(column =>
      check(column.name, this.columns.includes(column), on => {
        const kept = this.columns.filter(one => one !== column);
        choose({lines: (on ? [...kept, column] : kept).map(one => one.name).join(",")});
        this.update();
      })));
    return el("div", {}, el("div", {class: "controls"}, choice("color", this.study.varying.map(column => [column.name, column.name]),
      this.color?.name, name => { choose({color: name}); this.update(); })),
    el("details", {class: "columns"}, el("summary", {}, "Axes"), boxes));
  }

  update() {
    this.canvas.root.style.minWidth = `${90 * this.columns.length}px`;
    this.canvas.draw();
  }

  paint(context, width, height) {
    context.clearRect(0, 0, width, height);
    const {study, columns} = this;
    if (columns.length < 2) return;
    const step = Math.max(1, Math.ceil(study.found.length / MAX_LINES));
    const rows = study.found.filter((_, i) => i % step === 0);
    const all = Uint32Array.from({length: study.rows}, (_, i) => i);
    const gap = (width - 90) / (columns.length - 1);
    this.lanes = columns.map((column, i) => {
      const [low, high] = column.range(all);
      const log = !column.isText && low > 0 && high / low > 20;
      return {column, x: 45 + i * gap, scale: new Scale(low, high, height - 40, 46, log)};
    });
    const colored = coloring(this.color, study.found);
    context.globalAlpha = rows.length > 400 ? 0.25 : 0.7;
    for (const row of rows) {
      context.strokeStyle = css(colored.color(row));
      context.beginPath();
      let drawn = false;
      for (const {column, x, scale} of this.lanes) {
        const y = scale.pixel(column.numeric[row]);
        if (Number.isNaN(y)) drawn = false;
        else if (drawn) context.lineTo(x, y);
        else { context.moveTo(x, y); drawn = true; }
      }
      context.stroke();
    }
    context.globalAlpha = 1;
    this.lanes.forEach((lane, i) => this.paintLane(context, lane, i, gap));
    this.legend.replaceChildren(legendOf(this.color, colored.legend));
    this.note.textContent = (rows.length < study.found.length ? `${plural(rows.length, "line")} of ${plural(study.found.length, "point")}, evenly sampled. ` : "") +
      "Drag along an axis to keep a range of it.";
  }

  paintLane(context, {column, x, scale}, place, gap) {
    context.strokeStyle = context.fillStyle = theme.color("ink");
    context.beginPath();
    context.moveTo(x, scale.from);
    context.lineTo(x, scale.to);
    context.stroke();
    context.textAlign = place === 0 ? "left" : place === this.lanes.length - 1 ? "right" : "center";
    context.textBaseline = "middle";
    const {factor, label} = column.isText ? {factor: 1, label: column.name} : scaled(column, scale.value(scale.to));
    const room = Math.max(4, Math.floor(gap / 6.5));
    const words = text => text.length > room ? `…${text.slice(1 - room)}` : text;
    const end = {left: -40, center: 0, right: 40}[context.textAlign];
    context.fillText(words(label), x + end, place % 2 ? 14 : 30);
    context.textAlign = "center";
    const ticks = column.isText ? column.different(Infinity).map((value, i) => [i, value]).filter((_, i, all) => i % Math.ceil(all.length / 20) === 0)
      : scale.ticks(6).map(tick => [tick, tickText(tick * factor)]);
    for (const [tick, text] of ticks) {
      const y = scale.pixel(tick);
      const shown = words(text);
      const width = context.measureText(shown).width;
      context.fillStyle = theme.color("ground");
      context.globalAlpha = 0.75;
      context.fillRect(x - width / 2 - 2, y - 7, width + 4, 14);
      context.globalAlpha = 1;
      context.fillStyle = theme.color("ink");
      context.fillText(shown, x, y);
    }
    if (chosen(FILTER + column.name)) {
      context.fillStyle = theme.color("accent");
      context.fillText("filtered", x, scale.from + 20);
    }
  }

  listen() {
    const {node} = this.canvas;
    const place = event => {
      const bounds = node.getBoundingClientRect();
      return [event.clientX - bounds.left, event.clientY - bounds.top];
    };
    let start;
    node.addEventListener("pointerdown", event => { start = place(event); });
    node.addEventListener("pointerup", event => {
      if (!start) return;
      const lane = this.lanes.reduce((a, b) => Math.abs(a.x - start[0]) < Math.abs(b.x - start[0]) ? a : b);
      const ends = [start[1], place(event)[1]].map(y => lane.scale.value(y)).sort((a, b) => a - b);
      const isClick = Math.abs(place(event)[1] - start[1]) < 5;
      start = undefined;
      setFilter(lane.column.name, isClick ? "" : this.range(lane.column, ...ends));
    });
  }

  /** The condition that a value lies between two places on an axis. */
  range(column, low, high) {
    if (!column.isText) return `${Number(low.toPrecision(4))}..${Number(high.toPrecision(4))}`;
    return column.different(Infinity).filter((_, i) => i >= low && i <= high).map(value => `=${value}`).join(" | ");
  }
}
