"""Mechanisms of others and linkages drawn at random: do they rest where they should, and do they close?

    ANIMATO_ROBOTS=FOLDER:FOLDER python -m benchmarks loops
    python -m benchmarks.loops FOLDER FOLDER    # writes the table of docs/robots.md, and the rows of its loops

Folders are those of repositories with robots: mujoco_menagerie, reachy_mini, example-parallel-robots,
example-robot-data. Without them only the linkages are measured.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from animato.errors import MechanismError
from animato.mechanics.loops.assembly import build_mechanism, normalized_state
from animato.mechanics.loops.assembly.build import _draft, _prepared
from animato.mechanics.loops.constraints import RowPurpose, constraint_jacobians, constraint_values, joint_coordinates
from benchmarks.loops_four_bars import Linkage, linkages
from benchmarks.loops_robots import Robot, robot_files, robots, tried
from benchmarks.row import Row

FOLDERS = "ANIMATO_ROBOTS"
HELD_OUT_SEED = 2024  # the number of starts was chosen on seed 5
RIGHT = 1e-6  # [m]
DOCS = Path(__file__).parent.parent / "docs" / "robots.md"
BEGIN, END = "<!-- written by benchmarks.loops -->", "<!-- to here -->"


def rows(*, quick: bool = False) -> list[Row]:
    """Linkages always; robots of the folders that the environment names."""
    named = [Path(part) for part in os.environ.get(FOLDERS, "").split(os.pathsep) if part]
    found = _linkage_rows(5 if quick else 25)
    missing = [str(folder) for folder in named if not folder.is_dir()]
    if not named or missing:
        print(
            f"loops: robots are not measured; {FOLDERS} names no folder"
            + "".join(f", {one} is not there" for one in missing)
        )
        return found
    tried_robots = robots(named, loops_only=True)
    for robot in tried_robots:
        print(_line(robot))
    return found + _robot_rows(tried_robots)


def _robot_rows(found: Sequence[Robot]) -> list[Row]:
    read = [robot for robot in found if robot.is_read]
    worst = max((max(robot.rest_m, robot.gap_m) for robot in read), default=np.nan)
    right = [robot for robot in read if max(robot.rest_m, robot.gap_m) <= RIGHT]
    return [
        Row("loops.rest_gap_m", float(worst), "m", "lower"),
        Row("loops.robots", float(len(right)), f"of {len(found)}", "higher"),
        Row("loops.follow", float(sum(robot.follows for robot in read)), f"of {len(found)}", "higher"),
        Row("loops.slowest_load_s", max(robot.seconds for robot in found), "s", "lower"),
    ]


def _linkage_rows(count: int) -> list[Row]:
    closable = [one for one in linkages(HELD_OUT_SEED, count) if one.closable]
    found = []
    for kind in ("", *dict.fromkeys(one.kind for one in closable)):
        chosen = [one for one in closable if not kind or one.kind == kind]
        ours, peer = (float(np.mean([closes(one) for one in chosen])) for closes in (_assembled, _plain))
        name = "four_bars.assembled_share" + (f" ({kind})" if kind else "")
        found.append(Row(name, ours, "of closable", "higher", "scipy least_squares", peer))
    impossible = [one for one in linkages(HELD_OUT_SEED, count) if not one.closable]
    proven = float(np.mean([_is_proven(one) for one in impossible]))
    return [*found, Row("four_bars.proven_share", proven, "of impossible", "higher")]


def _assembled(linkage: Linkage) -> bool:
    try:
        build_mechanism(linkage.character)
    except MechanismError:
        return False
    return True


def _is_proven(linkage: Linkage) -> bool:
    try:
        build_mechanism(linkage.character)
    except MechanismError as error:
        return "No pose can close it" in str(error)
    return False


def _plain(linkage: Linkage) -> bool:
    """The same rows, actuators free, by SciPy from the drawing."""
    draft = _draft(_prepared(linkage.character, {}))
    chosen = np.array([n for n, row in enumerate(draft.rows) if row.purpose is not RowPurpose.ACTUATOR])

    def values(state: np.ndarray) -> np.ndarray:
        return constraint_jacobians(draft, state[None], draft.controls[None], rows="all").values[0, chosen]

    def slopes(state: np.ndarray) -> np.ndarray:
        found = constraint_jacobians(draft, state[None], draft.controls[None], rows="all")
        return found.rows.state.dense(found.state[0])[chosen]

    answer = least_squares(values, draft.state, slopes, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=500)
    state = normalized_state(answer.x)
    controls = joint_coordinates(draft, state[None]).columns(draft.control_names)
    # A hinge that is flipped by half a turn satisfies the rows, but is not the one that was drawn.
    as_built = bool(np.all(constraint_values(draft, state[None], controls, rows="branch") > 0.0))
    return as_built and bool(np.abs(answer.fun).max() < 1e-8)


def _line(robot: Robot) -> str:
    """One line of the table in the docs."""
    if not robot.is_read:
        return f"| {robot.name} | {robot.source} | | | not read | | {_short(robot.words)} |"
    right = max(robot.rest_m, robot.gap_m)
    rests = f"{1e3 * right:.0e} mm" if np.isfinite(right) else "not compared"
    follows = "yes" if robot.follows else "no"
    return (
        f"| {robot.name} | {robot.source} | {robot.joints} | {robot.loops or ''} | {rests} | {follows} | "
        f"{_short(robot.words)} |"
    )


def _short(words: str) -> str:
    first = words.split(". ", maxsplit=1)[0].replace("|", "/").replace("\n", " ")
    return first if len(first) < 160 else first[:157] + "..."


def main() -> None:
    """Writes the table of all robots in some folders into the docs, and prints the rows of those with loops."""
    found = []
    for folder in map(Path, sys.argv[1:]):
        for path in robot_files(folder):
            found.append(tried(path, folder))
            print(_line(found[-1]), flush=True)
    lines = [
        _summary(found),
        "",
        "| robot | from | joints | loops | rests | follows | |",
        "|---|---|---|---|---|---|---|",
    ]
    page = DOCS.read_text()
    before, rest = page.split(BEGIN)
    DOCS.write_text("\n".join([before + BEGIN, "", *lines, *map(_line, found), "", END + rest.split(END)[1]]))
    for row in _robot_rows([robot for robot in found if robot.loops or not robot.is_read]):
        print(row)


def _summary(found: Sequence[Robot]) -> str:
    read = [robot for robot in found if robot.is_read]
    right = sum(max(robot.rest_m, robot.gap_m) <= RIGHT for robot in read)
    closed = [robot for robot in read if robot.loops]
    return (
        f"Of {len(found)} files {len(read)} are read, {right} of these rest right to 1e-6 m, and "
        f"{sum(robot.follows for robot in read)} follow. {len(closed)} have loops; of these "
        f"{sum(robot.follows for robot in closed)} follow."
    )


if __name__ == "__main__":
    main()
