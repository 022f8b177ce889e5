"""Runs a benchmark by name, prints its rows and, on request, writes them as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table

import benchmarks
from benchmarks.row import Row

FRAME = ("row", "__main__")
WIDTH = 120  # of tables in a file or a pipe, which have none of their own


def names() -> list[str]:
    """Benchmarks there are: every other module of this package; one with an underscore is a part of another."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in modules if name not in FRAME and "_" not in name)


def table(rows: list[Row]) -> Table:
    """Rows for a person to read."""
    result = Table(Column("name", no_wrap=True), "value", "unit", "better", "peer", "peer's value")
    for row in rows:
        peer = "" if row.peer_value is None else f"{row.peer_value:.4g}"
        result.add_row(row.name, f"{row.value:.4g}", row.unit, row.better, row.peer, peer)
    return result


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=names())
    parser.add_argument("--quick", action="store_true", help="smaller inputs: a minute on two cores, steady five")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows as JSON")
    options = parser.parse_args()
    module = importlib.import_module(f"benchmarks.{options.name}")
    rows: list[Row] = module.rows(quick=options.quick)
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    console.print(table(rows))
    for readable in getattr(module, "tables", lambda _: [])(rows):  # a benchmark may have its own beside the rows
        console.print(readable)
    if options.json is not None:
        from animato.formats.files.atomic import write_whole

        write_whole(options.json, json.dumps([asdict(row) for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
