// The scatter plot of two columns, with color, panels and the Pareto front. A drag zooms, a double click goes back.

const MARGIN = {left: 74, right: 14, top: 22, bottom: 44};
const MAX_PANELS = 12;

class Scatter {
  constructor(study, show) {
    Object.assign(this, {study, show, zoom: undefined});
    this.canvas = new Canvas("scatter plot; the table has its points", 460, (...where) => this.paint(...where));
    this.hint = el("div", {class: "hint", hidden: true});
    this.canvas.root.append(this.hint);
    this.legend = el("div", {});
    this.front = el("p", {class: "note"});
    this.root = el("div", {}, this.controls(), this.canvas.root, this.legend, this.front);
    this.listen();
  }

  get x() { return this.study.column(chosen("x")) ?? this.study.numeric[0]; }

  get y() { return this.study.column(chosen("y")) ?? this.study.numeric.find(column => column !== this.x) ?? this.x; }

  controls() {
    const {study} = this;
    const numbers = study.numeric.map(column => [column.name, column.name]);
    const set = name => value => { this.zoom = undefined; choose({[name]: value}); this.update(); };
    const few = study.varying.filter(column => column.different(MAX_PANELS)).map(column => [column.name, column.name]);
    const better = [["", "smaller is better"], ["-", "larger is better"]];
    const yes = name => on => set(name)(on ? "1" : "");
    return el("div", {class: "controls"}, choice("x", numbers, this.x?.name, set("x")), choice("y", numbers, this.y?.name, set("y")),
      choice("color", [["none", "none"], ...study.varying.map(column => [column.name, column.name])], this.colorName, set("color")),
      choice("panels", [["", "one"], ...few], chosen("panels"), set("panels")),
      choice("x:", better, chosen("goodx"), set("goodx")), choice("y:", better, chosen("goody"), set("goody")),
      check("linear x", chosen("linx") === "1", yes("linx")), check("linear y", chosen("liny") === "1", yes("liny")),
      check("Pareto front", this.hasFront, on => set("front")(on ? "1" : "0")));
  }

  /** By default the policy, where it varies. */
  get colorName() { return chosen("color", this.study.varying.some(column => column.name === "policy") ? "policy" : "none"); }

  update() { this.canvas.draw(); }

  get hasFront() { return chosen("front", this.study.about.objectives.length ? "1" : "0") === "1"; }

  /** Why there is nothing to draw. */
  get nothing() { return "No column of numbers varies."; }

  /** The panels: a title, and whether a row belongs to it. */
  get panels() {
    const column = this.study.column(chosen("panels"));
    const values = column?.different(MAX_PANELS);
    if (!values) return [{title: "", has: () => true}];
    return values.map(value => {
      const code = column.values.indexOf(value);
      return {title: `${column.name} ${column.show(value ?? NaN)}`, has: row => column.codes[row] === code};
    });
  }

  paint(context, width, height) {
    const {study, x, y} = this;
    context.clearRect(0, 0, width, height);
    if (!x) {
      this.front.textContent = this.nothing;
      return;
    }
    const color = study.column(this.colorName);
    const coloredBy = coloring(color, study.found);
    this.legend.replaceChildren(legendOf(color, coloredBy.legend));
    const panels = this.panels;
    const columns = Math.min(panels.length, Math.max(1, Math.floor(width / 280)), Math.ceil(Math.sqrt(panels.length * 1.6)));
    const lines = Math.ceil(panels.length / columns);
    const wanted = lines === 1 ? 460 : 280 * lines;
    if (wanted !== this.canvas.height) {
      this.canvas.height = wanted;
      this.canvas.draw();
      return;
    }
    const ranges = this.zoom ?? this.ranges();
    this.picks = new Int32Array(Math.ceil(width) * Math.ceil(height)).fill(-1);
    this.boxes = panels.map((panel, i) => {
      const left = width / columns * (i % columns), top = height / lines * Math.floor(i / columns);
      return {...panel, left: left + MARGIN.left, right: left + width / columns - MARGIN.right, top: top + MARGIN.top,
              bottom: top + height / lines - MARGIN.bottom};
    });
    for (const box of this.boxes) {
      box.x = new Scale(...ranges[0], box.left, box.right, chosen("linx") !== "1");
      box.y = new Scale(...ranges[1], box.bottom, box.top, chosen("liny") !== "1");
      paintFrame(context, box, x, y);
    }
    this.paintPoints(context, coloredBy.color);
    this.paintFronts(context);
  }

  /** Labels and values of x and y in the panels. */
  ranges() { return [this.x.range(this.study.found), this.y.range(this.study.found)]; }

  paintPoints(context, color) {
    const {canvas: {node, ratio}, picks, study, x, y} = this;
    const image = context.getImageData(0, 0, node.width, node.height);
    const pixels = new Uint32Array(image.data.buffer);
    const wide = Math.ceil(this.canvas.width), size = Math.round((study.found.length > 20000 ? 2 : study.found.length > 2000 ? 3 : 5) * ratio);
    const [xs, ys] = [x.numeric, y.numeric];
    for (const box of this.boxes) {
      const clip = [box.left, box.right, box.top, box.bottom].map(edge => edge * ratio);
      for (const row of study.found) {
        if (!box.has(row)) continue;
        const px = box.x.pixel(xs[row]), py = box.y.pixel(ys[row]);
        if (!(px >= box.left && px <= box.right && py >= box.top && py <= box.bottom)) continue;
        picks[Math.floor(py) * wide + Math.floor(px)] = row;
        const [red, green, blue] = color(row);
        const word = (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
        const fromX = Math.round(px * ratio - size / 2), fromY = Math.round(py * ratio - size / 2);
        for (let j = Math.max(fromY, Math.ceil(clip[2])); j < Math.min(fromY + size, clip[3]); ++j) {
          for (let i = Math.max(fromX, Math.ceil(clip[0])); i < Math.min(fromX + size, clip[1]); ++i) pixels[j * node.width + i] = word;
        }
      }
    }
    context.putImageData(image, 0, 0);
  }

  paintFronts(context) {
    const {study, x, y} = this;
    this.front.replaceChildren();
    if (!this.hasFront || x === y) return;
    const signs = ["goodx", "goody"].map(name => chosen(name) === "-" ? -1 : 1);
    const sizes = this.boxes.map(box => {
      const rows = front(x, y, this.boxes.length > 1 ? study.found.filter(box.has) : study.found, ...signs);
      context.save();
      context.beginPath();
      context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      context.clip();
      context.strokeStyle = context.fillStyle = theme.color("accent");
      context.lineWidth = 1.5;
      context.beginPath();
      let previous;
      for (const row of rows) {
        const [px, py] = [box.x.pixel(x.numeric[row]), box.y.pixel(y.numeric[row])];
        if (previous !== undefined) context.lineTo(px, previous);
        context.lineTo(px, py);
        previous = py;
      }
      context.stroke();
      for (const row of rows) context.fillRect(box.x.pixel(x.numeric[row]) - 2.5, box.y.pixel(y.numeric[row]) - 2.5, 5, 5);
      context.restore();
      return rows.length;
    });
    this.front.textContent = `Line: Pareto front, ${sizes.map(size => plural(size, "point")).join(", ")}. Drag to zoom, double click to go back.`;
  }

  /** The point nearest to a place, at most some pixels away. */
  nearest(px, py) {
    const wide = Math.ceil(this.canvas.width);
    for (let reach = 0; reach <= 8; ++reach) {
      for (let j = Math.max(0, py - reach); j <= py + reach; ++j) {
        for (let i = px - reach; i <= px + reach; ++i) {
          const row = this.picks?.[j * wide + i];
          if (row >= 0) return row;
        }
      }
    }
    return -1;
  }

  place(event) {
    const bounds = this.canvas.node.getBoundingClientRect();
    return [Math.round(event.clientX - bounds.left), Math.round(event.clientY - bounds.top)];
  }

  listen() {
    const {node} = this.canvas;
    let start;
    node.addEventListener("pointerdown", event => { start = this.place(event); });
    node.addEventListener("pointermove", event => this.hover(...this.place(event)));
    node.addEventListener("pointerleave", () => { this.hint.hidden = true; });
    node.addEventListener("pointerup", event => {
      const end = this.place(event);
      if (start && Math.hypot(end[0] - start[0], end[1] - start[1]) > 12) this.zoomTo(start, end);
      else if (start && this.nearest(...end) >= 0) this.show(this.nearest(...end));
      start = undefined;
    });
    node.addEventListener("dblclick", () => { this.zoom = undefined; this.update(); });
  }

  hover(px, py) {
    const row = this.nearest(px, py);
    this.hint.hidden = row < 0;
    if (row < 0) return;
    const told = [...new Set([this.study.column("point"), this.x, this.y, this.study.column(chosen("color")), ...this.study.axes])];
    this.hint.replaceChildren(...told.filter(Boolean).slice(0, 12).map(column => el("div", {}, `${column.name}: ${column.text(row)}`)));
    this.hint.style.left = `${Math.min(px + 14, this.canvas.width - 200)}px`;
    this.hint.style.top = `${py + 14}px`;
  }

  zoomTo(start, end) {
    const box = this.boxes.find(one => start[0] >= one.left && start[0] <= one.right && start[1] >= one.top && start[1] <= one.bottom);
    if (!box) return;
    const range = (scale, a, b) => [scale.value(a), scale.value(b)].sort((p, q) => p - q);
    this.zoom = [range(box.x, start[0], end[0]), range(box.y, start[1], end[1])];
    this.update();
  }
}

/** The frame of a panel: axes with ticks, labels and a title. */
function paintFrame(context, box, x, y) {
  const largest = scale => Math.max(Math.abs(scale.value(scale.from)), Math.abs(scale.value(scale.to)));
  const [across, up] = [scaled(x, largest(box.x)), scaled(y, largest(box.y))];
  context.fillStyle = theme.color("ink");
  context.strokeStyle = theme.color("line");
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const tick of box.x.ticks(Math.max(2, (box.right - box.left) / 90))) {
    const at = box.x.pixel(tick);
    context.beginPath();
    context.moveTo(at, box.top);
    context.lineTo(at, box.bottom + 4);
    context.stroke();
    context.fillText(tickText(tick * across.factor), at, box.bottom + 7);
  }
  context.fillText(across.label, (box.left + box.right) / 2, box.bottom + 25);
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of box.y.ticks(Math.max(2, (box.bottom - box.top) / 50))) {
    const at = box.y.pixel(tick);
    context.beginPath();
    context.moveTo(box.left - 4, at);
    context.lineTo(box.right, at);
    context.stroke();
    context.fillText(tickText(tick * up.factor), box.left - 7, at);
  }
  context.save();
  context.translate(box.left - 62, (box.top + box.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(up.label, 0, 0);
  context.restore();
  context.textAlign = "center";
  context.fillText(box.title, (box.left + box.right) / 2, box.top - 11);
}
