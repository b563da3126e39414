"""What experiments/allspark-fidelity.toml adds: the formulas' deviation from routers and DRAM, every schedule."""

from allspark import fidelity  # noqa: F401

PREFIX = "allspark-"
