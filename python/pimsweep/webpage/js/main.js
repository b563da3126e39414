// The explorer: a choice of the study, conditions, and views of the points that fulfill them.

const VIEWS = {
  chart: ["Chart", Chart], table: ["Table", Table], scatter: ["Scatter", Scatter], parallel: ["Parallel", Parallel], heat: ["Heat map", HeatMap],
  roofline: ["Roofline", Roofline], bands: ["Bands", Bands], progress: ["Search", Progress],
};
/** Views that not every study has something for. */
const FITS = {
  chart: Chart.fits, heat: study => HeatMap.sides(study).length > 1 && study.numeric.length > 0, roofline: study => Boolean(rooflineOf(study)),
  bands: study => rangesOf(study).length > 0 && study.axes.some(column => column.name !== "draw" && !column.isText), progress: study => Boolean(study.about.search),
};
const viewsOf = study => (study.about.views ?? Object.keys(VIEWS)).filter(name => FITS[name]?.(study) ?? true);
const explorer = {loaded: new Map()};

/** Sets the condition on a column and shows what fulfills it. */
function setFilter(name, text) {
  choose({[FILTER + name]: text.trim()});
  refilter();
}

function refilter() {
  const wrong = explorer.study.filter();
  const {found, rows, about: {noun = "point"}} = explorer.study;
  explorer.count.textContent = found.length === rows ? plural(rows, noun) : `${found.length.toLocaleString("en")} of ${plural(rows, noun)}`;
  explorer.note.textContent = [wrong.length ? `Not understood: the condition on ${wrong.join(", ")}. ${CONDITIONS}` : "", explorer.study.note]
    .filter(Boolean).join(" ");
  for (const field of explorer.root.querySelectorAll("[data-column]")) {
    field.setAttribute("aria-invalid", String(wrong.includes(field.dataset.column)));
  }
  explorer.chips.replaceChildren(...filters().map(([name, text]) => el("button", {type: "button", title: "Remove this condition", onclick: () => {
    setFilter(name, "");
    explorer.view.header?.();
  }}, `${name} ${text} ×`)));
  explorer.view.update();
}

function showPoint(row) { explorer.point.show(row); }

function showView(name) {
  const [, View] = VIEWS[name];
  purge(explorer.root);
  explorer.view = new View(explorer.study, showPoint);
  explorer.place.replaceChildren(explorer.view.root);
  for (const tab of explorer.tabs.children) {
    const on = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
  refilter();
}

function turnTab(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!step) return;
  const tabs = [...explorer.tabs.children];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.click();
  next.focus();
}

/** Shows what the state says; the attribute `data-ready` of the page is there when it is done. */
async function showStudy() {
  delete document.documentElement.dataset.ready;
  await buildStudy();
  document.documentElement.dataset.ready = "1";
}

async function buildStudy() {
  purge(explorer.root);
  const about = page.studies.find(one => one.key === chosen("study")) ?? page.studies[0];
  if (!explorer.loaded.has(about)) explorer.loaded.set(about, await Study.load(about));
  explorer.study = explorer.loaded.get(about);
  if (!about.shown) {
    explorer.root.replaceChildren(el("p", {}, `The study ${about.id} has no points.`));
    return;
  }
  explorer.point = new PointView(explorer.study);
  const words = el("input", {type: "search", "aria-label": "words", placeholder: "search all texts", oninput: () => { choose({words: words.value}); refilter(); }});
  words.value = chosen("words");
  explorer.count = el("output", {"aria-live": "polite"});
  explorer.note = el("p", {class: "note"});
  explorer.chips = el("span", {class: "chips"});
  explorer.place = el("div", {class: "place", role: "tabpanel"});
  explorer.tabs = el("div", {role: "tablist", "aria-label": "views", onkeydown: turnTab}, viewsOf(explorer.study).map(name =>
    el("button", {type: "button", role: "tab", "data-view": name, onclick: () => { choose({view: name}); showView(name); }}, VIEWS[name][0])));
  const studies = page.studies.map(one => [one.key, `${one.key} (${one.size.toLocaleString("en")})`]);
  const clear = el("button", {type: "button", onclick: () => { for (const name of [...state.keys()]) if (name !== "view" && name !== "study") state.delete(name); choose({}); showStudy(); }}, "Reset");
  explorer.root.replaceChildren(el("div", {class: "controls"},
    page.studies.length > 1 ? choice("study", studies, about.key, key => { for (const name of [...state.keys()]) if (name !== "view") state.delete(name); choose({study: key}); showStudy(); }) : "",
    words, explorer.count, explorer.chips, clear), explorer.tabs, explorer.note, explorer.place, explorer.point.root);
  showView(viewsOf(explorer.study).includes(chosen("view")) ? chosen("view") : viewsOf(explorer.study)[0]);
  const row = chosen("point") === "" ? -1 : explorer.study.column("point").numeric.indexOf(Number(chosen("point")));
  if (row >= 0) showPoint(row);
}

function themeButton() {
  const button = el("button", {type: "button", class: "theme", onclick: () => {
    document.documentElement.dataset.theme = theme.dark ? "light" : "dark";
    button.textContent = theme.dark ? "Light" : "Dark";
    explorer.view?.update();
  }}, theme.dark ? "Light" : "Dark");
  return button;
}

document.querySelector("header").append(themeButton());
explorer.root = document.getElementById("explorer");
readAddress();
/** Shows what the address asks for, and goes there. */
async function follow() {
  if (!readAddress()) return;
  await showStudy();
  explorer.root.scrollIntoView();
}

addEventListener("hashchange", follow);
if (location.hash.includes("=")) follow();
else showStudy();
