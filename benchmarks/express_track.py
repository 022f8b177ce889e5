"""Following a target on any course: rows of animato's loop beside a rule of a few lines and other packages.

`python -m benchmarks.express_track --help` measures some followers on some courses, quickly, for whoever works on one.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Sequence

from rich.table import Column, Table

from benchmarks.express_courses import COURSES
from benchmarks.express_track_cases import CHARACTERS, Case, case
from benchmarks.express_track_followers import FOLLOWERS, follow_filtered
from benchmarks.express_track_live import live_rows
from benchmarks.express_track_measures import UNITS, Figures, Moved, figures
from benchmarks.express_track_peers import PEERS
from benchmarks.express_track_recorded import RECORDED
from benchmarks.row import Row

QUICK_SECONDS, QUICK_CASES, QUICK_CHARACTERS = 20.0, 2, ("C", "G")
SECONDS, CASES = 30.0, 3
PEERS_OF = ("C", "G")  # characters on which packages are measured; they take most of the time
OLD = {"before": "its tracker before", "horizon3": "its tracker before, 3 s ahead"}


def track_rows(*, quick: bool) -> list[Row]:
    """Rows `track.*`, `live.near_point_deg` and `still.motion_rad`, on the courses that are for reporting."""
    rows = []
    for name in QUICK_CHARACTERS if quick else CHARACTERS:
        for course in COURSES:
            rows += course_rows(name, course, quick=quick)
    return [*rows, *live_rows(quick=quick)]


def course_rows(name: str, course: str, *, quick: bool) -> list[Row]:
    """Rows of one character on one course."""
    seconds, count = (QUICK_SECONDS, QUICK_CASES) if quick else (SECONDS, CASES)
    cases = [case(name, course, "reported", n, seconds) for n in range(count)]
    ours, rule = followed("ours", cases), followed("rule", cases)
    if ours is None or rule is None:
        raise RuntimeError("animato's own followers are always installed")
    begin = f"track.{name}.{course}"
    rows = [
        Row(f"{begin}.{measure}", getattr(ours, measure), unit, "lower", "rule", getattr(rule, measure))
        for measure, unit in UNITS.items()
    ]
    if quick:
        return rows
    for peer in PEERS if name in PEERS_OF else ():
        theirs = followed(peer, cases)
        said = peer if theirs is not None else f"{peer}: not installed"
        value = None if theirs is None else theirs.error
        rows.append(Row(f"{begin}.error.{peer}", ours.error, UNITS["error"], "lower", said, value))
    for old, said in OLD.items():
        value = RECORDED.get(f"{name}.{course}.{old}")
        rows.append(Row(f"{begin}.error.{old}", ours.error, UNITS["error"], "lower", said, value))
    return rows


def followed(name: str, cases: Sequence[Case]) -> Figures | None:
    """Figures of a follower, by its name; None where its package is not installed."""
    if name in FOLLOWERS:
        return figures(cases, [FOLLOWERS[name](one) for one in cases])
    build, package = PEERS[name]
    if package and importlib.util.find_spec(package) is None:
        return None
    logging.disable(logging.WARNING)  # a micron outside a limit is not worth a line to us
    try:
        moved: list[Moved] = [follow_filtered(one, build) for one in cases]
    finally:
        logging.disable(logging.NOTSET)
    return figures(cases, moved)


def tracking_table(rows: Sequence[Row], name: str) -> Table:
    """What was measured of one character: animato's figures and the rule's on every course, then errors of others."""
    named = {row.name: row for row in rows}
    others = [other for other in (*PEERS, *OLD) if f"track.{name}.circle.error.{other}" in named]
    table = Table(
        Column("course", no_wrap=True),
        *(Column(f"{measure.replace('_', ' ')} / rule", justify="right") for measure in UNITS),
        *(Column(f"error {other}", justify="right") for other in others),
        title=f"{name} follows targets, 100 Hz, behind the motion filter",
    )
    for course in COURSES:
        found = [named.get(f"track.{name}.{course}.{measure}") for measure in UNITS]
        beside = [named.get(f"track.{name}.{course}.error.{other}") for other in others]
        both = ("" if row is None else f"{row.value:.3g} / {_number(row.peer_value)}" for row in found)
        table.add_row(course, *both, *("" if row is None else _number(row.peer_value) for row in beside))
    return table


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


if __name__ == "__main__":
    from benchmarks.express_track_run import main

    main()
