// Light and dark: as the system says, or as the button does.

const theme = {
  get dark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  color: name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(),
};

/** A color between two, as [red, green, blue]. */
const mix = (from, to, share) => from.map((value, i) => Math.round(value + (to[i] - value) * share));
const rgb = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const css = color => `rgb(${color.join(",")})`;

/** The colors of categories. */
const categories = () => (theme.dark ? page.dark_palette : page.palette).map(rgb);
const OTHERS = [140, 140, 140];
// Cividis, which looks alike to people with and without color vision deficiency.
const CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"]
  .map(rgb);

/** The color of a share from 0 to 1 of a range. */
function shade(share) {
  const place = Math.max(0, Math.min(1, share)) * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(place), CIVIDIS.length - 2);
  return mix(CIVIDIS[low], CIVIDIS[low + 1], place - low);
}
