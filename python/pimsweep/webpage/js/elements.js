// Elements of the page. Text becomes text nodes, never HTML.

const page = JSON.parse(document.getElementById("data").textContent);

/** An element with attributes (those that begin with "on" are listeners) and children, which are elements or text. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat());
  return made;
}

/** A labeled choice of [value, text] pairs. */
function choice(label, options, value, change) {
  const select = el("select", {"aria-label": label, onchange: () => change(select.value)},
    options.map(([key, text]) => el("option", {value: key, selected: key === value}, text)));
  return el("label", {}, `${label} `, select);
}

/** A labeled check box. */
function check(label, value, change) {
  const box = el("input", {type: "checkbox", onchange: () => change(box.checked)});
  box.checked = value;
  return el("label", {}, box, ` ${label}`);
}

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
