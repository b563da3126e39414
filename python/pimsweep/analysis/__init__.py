"""What results say: published values beside reproduced ones (`make_report`), and among those of sampled machines
(`make_bands`), how far fidelities agree (`compare_fidelities`), and what each axis does to a metric (`find_sensitivities`)."""

from .bands import Band, make_bands
from .fidelity import Agreement, compare_fidelities
from .judge import Finding
from .published import PublishedSet, read_published
from .report import make_report
from .sensitivity import Sensitivity, find_sensitivities

__all__ = ["Agreement", "Band", "Finding", "PublishedSet", "Sensitivity", "compare_fidelities", "find_sensitivities", "make_bands",
           "make_report", "read_published"]
