"""The colors of figures and pages."""

# They differ in lightness as well as in hue, for gray print and color-blind readers.
PALETTE = ["#2a6f4e", "#e0a458", "#7fa8d1", "#20416b", "#9a3b26", "#b0b7c3", "#9cc9b0"]
