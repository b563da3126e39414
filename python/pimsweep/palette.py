"""The colors of figures and pages."""

# They differ in lightness as well as in hue, for gray print and color-blind readers.
PALETTE = ["#2a6f4e", "#e0a458", "#8794ca", "#20416b", "#9c2a1a", "#b8bacc", "#90d2aa", "#7858b8"]
# The same hues on the dark ground of pages.
DARK_PALETTE = ["#548c71", "#e1a65b", "#919dce", "#3d597e", "#a84436", "#c5c7d5", "#90d2aa", "#8568bf"]
