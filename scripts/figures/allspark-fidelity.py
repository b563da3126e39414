"""What experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

from allspark_comparison import fidelity  # noqa: F401

PREFIX = "allspark-"
