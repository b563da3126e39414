// Charts of few marks, by plotly.js, which is unpacked when the first of them is drawn.

let plotlyLoaded;

function plotly() {
  plotlyLoaded ??= inflated(document.getElementById("plotly").textContent).then(bytes => {
    document.head.append(el("script", {}, new TextDecoder().decode(bytes)));
    return window.Plotly;
  });
  return plotlyLoaded;
}

const axisStyle = () => ({gridcolor: theme.color("line"), zerolinecolor: theme.color("line"), linecolor: theme.color("line"), automargin: true});

/** Draws traces into an element; resolves to plotly. */
async function plot(node, traces, layout) {
  const library = await plotly();
  const style = {paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: {color: theme.color("ink"), size: 12, family: "system-ui, sans-serif"},
                 margin: {l: 60, r: 20, t: 30, b: 50}, height: 440, hovermode: "closest",
                 modebar: {bgcolor: "rgba(0,0,0,0)", color: theme.color("pale"), activecolor: theme.color("ink")}, ...layout};
  for (const name of ["xaxis", "yaxis"]) style[name] = {...axisStyle(), ...layout[name]};
  await library.react(node, traces.map(escapeTrace), style, {responsive: true, displaylogo: false});
  return library;
}

/** Lets go of the charts in an element, which plotly keeps otherwise. */
function purge(root) {
  for (const node of root.querySelectorAll(".js-plotly-plot")) window.Plotly.purge(node);
}

/** plotly reads some HTML in texts: names of results are shown as they are. */
const escaped = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const escapeTrace = trace => trace.name === undefined ? trace : {...trace, name: escaped(trace.name)};
