"""Rows of the benchmark as tables to read: the paper's 8 and 9 for all skeletons."""

from __future__ import annotations

from rich.table import Column, Table

from benchmarks.express_paper import POSTURES, TABLE_8, TABLE_9
from benchmarks.express_samples import SKELETONS
from benchmarks.row import Row

MEASURES = ("error", "orientation", "posture", "ms")
METHODS = ("erik", "dls_nopost", "dls100", "dls200", "dls_stopping", "dls400", "mink", "pink", "animato")


def paper_table(rows: list[Row]) -> Table:
    """Postures, mean errors and times of every method on every skeleton, and what the paper has of them."""
    named = {row.name: row for row in rows}
    columns = (Column(name, justify="right", no_wrap=True) for name in ("combined", "orientation", "posture", "ms"))
    table = Table(
        Column("skeleton: postures / published", no_wrap=True),
        Column("method", no_wrap=True),
        *columns,
        title="Tables 8 and 9 of Ribeiro and Paiva (2019), on the same seeded samples; posture errors weigh 0.2",
    )
    for letter in SKELETONS:
        if f"{letter}.postures" not in named:
            continue
        count = f"{letter}: {named[f'{letter}.postures'].value:.0f} / {POSTURES[letter]}"
        table.add_row(count, "best known", _number(named[f"{letter}.error"].peer_value, "error"))
        for name in METHODS:
            found = [named.get(f"{letter}.{name}.{measure}") for measure in MEASURES]
            if found[0] is None:
                table.add_row("", name, "not installed")
                continue
            values = (None if row is None else row.value for row in found)
            table.add_row("", name, *map(_number, values, MEASURES))
        for name, published in _published(letter):
            table.add_row("", name, *map(_number, published, MEASURES), style="dim")
        table.add_section()
    return table


def _published(letter: str) -> list[tuple[str, tuple[float | None, ...]]]:
    """Lines that the paper has of a skeleton: errors are published for C only."""
    if letter != "C":
        return [("erik, published", (None, None, None, TABLE_8[letter].ms.mean))]
    times = {name: TABLE_8["C" if name == "erik" else f"C-{name}"].ms.mean for name in TABLE_9}
    return [(f"{name}, published", (*means[::2], times[name])) for name, means in TABLE_9.items()]


def _number(value: float | None, measure: str) -> str:
    """A figure, short; nothing where there is none."""
    if value is None:
        return ""
    return f"{value:.3g}" if measure == "ms" else f"{value:.5f}".rstrip("0").rstrip(".")
