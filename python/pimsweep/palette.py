"""The colors of figures and pages."""

# They differ in lightness as well as in hue, for gray print and color-blind readers.
PALETTE = ["#2a6f4e", "#e0a458", "#8794ca", "#20416b", "#9c2a1a", "#b8bacc", "#90d2aa"]
