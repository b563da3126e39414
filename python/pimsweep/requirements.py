"""The Python packages that the commands of the program need."""

COMMAND = "apt-get install python3-h5py python3-numpy python3-pandas python3-xarray"


def missing(error: ModuleNotFoundError) -> str:
    """A message of two lines about a package that is not installed."""
    return f"pimsweep: error: the Python package '{error.name}' is not installed\npimsweep: note: install it by: {COMMAND}"
