// The roofline: operations in a second by operations for each byte, where a study has what it takes.

/** The columns for a roofline, undefined where the study lacks them. */
function rooflineOf(study) {
  const first = (...names) => names.map(name => study.column(name)).find(column => column && !column.isText);
  const work = first("operations", "executed_operations", "macs"), bytes = first("memory_bytes", "dram_bytes"), time = first("time");
  if (!work || !bytes || !time) return undefined;
  const factor = work.name === "macs" ? 2 : 1;
  const derived = (name, unit, value) => new Column({name, unit, role: "metric", doc: name, reals: true}, study.rows,
    Float64Array.from({length: study.rows}, (_, row) => value(row) > 0 && Number.isFinite(value(row)) ? value(row) : NaN));
  const rate = study.column("achieved_rate");
  return {
    x: derived("operations for each byte of memory", "", row => factor * work.numeric[row] / bytes.numeric[row]),
    y: rate ? derived("operations in a second", "op/s", row => rate.numeric[row])
      : derived("operations in a second", "op/s", row => factor * work.numeric[row] / time.numeric[row]),
    bandwidth: study.columns.find(column => column.unit === "B/s" && /memory\.bandwidth$/.test(column.name)),
    share: rate && study.column("peak_share"), from: [work.name, bytes.name, time.name],
  };
}

class Roofline extends Scatter {
  get line() { return rooflineOf(this.study); }

  get x() { this.held ??= this.line; return this.held?.x; }

  get y() { return this.held?.y; }

  controls() {
    const set = name => value => { choose({[name]: value}); this.update(); };
    const {varying} = this.study;
    return el("div", {class: "controls"}, choice("color", [["none", "none"], ...varying.map(column => [column.name, column.name])], this.colorName, set("color")),
      choice("panels", [["", "one"], ...varying.filter(column => column.different(MAX_PANELS)).map(column => [column.name, column.name])], chosen("panels"), set("panels")));
  }

  /** The roofs of a panel's points: bandwidths with the largest peak that is stored for each. */
  roofs(has) {
    const {bandwidth, share} = this.held;
    if (!bandwidth) return [];
    const peaks = new Map();
    for (const row of this.study.found) {
      if (!has(row)) continue;
      const slope = bandwidth.numeric[row], peak = share ? this.y.numeric[row] / share.numeric[row] : NaN;
      if (slope > 0) peaks.set(slope, Math.max(peaks.get(slope) ?? 0, peak || 0));
    }
    return [...peaks].map(([slope, peak]) => ({slope, peak: peak || Infinity})).slice(0, 12);
  }

  /** All points, and the highest roof. */
  ranges() {
    const [across, [low, high]] = super.ranges();
    const peaks = this.roofs(() => true).map(roof => roof.peak).filter(Number.isFinite);
    return [across, [low, Math.max(high, ...peaks)]];
  }

  paintFronts(context) {
    context.strokeStyle = theme.color("accent");
    const all = [];
    for (const box of this.boxes) {
      const roofs = this.roofs(box.has);
      all.push(...roofs);
      context.save();
      context.beginPath();
      context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      context.clip();
      for (const {slope, peak} of roofs) {
        context.beginPath();
        for (let px = box.left; px <= box.right; ++px) context.lineTo(px, box.y.pixel(Math.min(peak, slope * box.x.value(px))));
        context.stroke();
      }
      context.restore();
    }
    this.front.textContent = `From the columns ${this.held.from.join(", ")}. ` + (all.length
      ? `Lines: ${plural(all.length, "roof")} by memory bandwidth${all.some(roof => Number.isFinite(roof.peak)) ? " and the largest peak rate" : ""}.`
      : "The results store no bandwidth of a memory, so no roof is drawn.");
  }
}
