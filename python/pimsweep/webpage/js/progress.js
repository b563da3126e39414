// Search: what had been found after so many points, whatever the conditions.

class Progress {
  constructor(study) {
    this.search = study.about.search;
    this.node = el("div", {class: "plot"});
    this.root = el("div", {}, this.node, el("p", {class: "note"}, this.words()));
  }

  words() {
    const {points, infeasible, front} = this.search;
    const last = points.length - 1;
    return `Share of the box between the best and the worst feasible values that the front dominates. After ${plural(points[last], "point")}, of which `
      + `${infeasible[last].toLocaleString("en")} are infeasible, the front has ${plural(front[last], "point")}. A curve that has become flat says that more points would hardly help.`;
  }

  async update() {
    const {points, infeasible, front, hypervolume} = this.search;
    const trace = {type: "scatter", mode: "lines", x: points, y: hypervolume, line: {shape: "hv", color: css(categories()[0])},
                   text: points.map((_, i) => `front: ${front[i]}, infeasible: ${infeasible[i]}`), hovertemplate: "%{x} points: %{y}<br>%{text}<extra></extra>"};
    await plot(this.node, [trace], {xaxis: {title: "points chosen"}, yaxis: {title: "hypervolume"}});
  }
}
