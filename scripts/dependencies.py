#!/usr/bin/env python3
"""Prints packaging/dependencies.csv with the versions that are installed here, by Debian's package manager."""

import csv
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).resolve().parents[1] / "packaging" / "dependencies.csv"


def version_of(package: str) -> str:
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    if found.returncode != 0 or not found.stdout:
        sys.exit(f"dependencies.py: {package} is not installed: scripts/setup.sh installs it")
    return found.stdout


def main() -> None:
    with TABLE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    writer = csv.DictWriter(sys.stdout, ["library", "version", "license", "package", "used for"], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, "version": version_of(row["package"])})


if __name__ == "__main__":
    main()
