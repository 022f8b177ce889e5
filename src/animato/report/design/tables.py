"""Tables of a design: errors by target, parameters before and after, limits, counts, iterations."""

from __future__ import annotations

import math

import numpy as np

from animato.character import Joint, JointRole, JointType
from animato.design.optimization import LimitShare, Solution
from animato.findings import percent, rounded
from animato.formats.files import units_of_joint
from animato.report.kit import Markup, element, joined
from animato.spatial import quaternions

Row = tuple[object, ...]

_UNCHANGED = 1e-9


def plain_table(heads: tuple[str, ...], rows: list[Row]) -> Markup:
    """A table whose first column names the row."""
    top = element("tr", *(element("th", head, scope="col") for head in heads))
    body = [
        element("tr", element("th", row[0], scope="row"), *(element("td", cell) for cell in row[1:])) for row in rows
    ]
    table = element("table", element("thead", top), element("tbody", *body), class_="joints plain")
    return element("div", table, class_="scroll")


def error_table(solution: Solution) -> Markup:
    """Mean and largest error of every target, before and after."""
    before, after = solution.initial.errors, solution.optimized.errors
    kinds = [
        ("Distance", "cm", 100.0, before.positions, after.positions),
        ("Turn", "deg", 180.0 / math.pi, before.orientations, after.orientations),
    ]
    kinds = [kind for kind in kinds if np.isfinite(kind[3]).any()]
    rows: list[Row] = []
    for column, name in enumerate(before.names):
        cells: list[object] = [_spaced(name)]
        for _, _, factor, *tables in kinds:
            known = np.isfinite(tables[0][:, column])
            for what in (np.mean, np.max):
                pair = [factor * float(what(table[known, column])) if known.any() else math.nan for table in tables]
                cells.append("-" if math.isnan(pair[0]) else _arrow(_short(pair[0]), _short(pair[1])))
        rows.append(tuple(cells))
    heads = [head for name, unit, *_ in kinds for head in (f"{name}, mean [{unit}]", f"{name}, largest [{unit}]")]
    return plain_table(("Target", *heads), rows)


def parameter_table(solution: Solution) -> Markup | None:
    """Configurable joints before and after, those that stay in a line of their own; None where there are none."""
    m = solution.problem.mechanism
    place = {name: n for n, name in enumerate(m.design_names)}
    rows: list[Row] = []
    unchanged: list[str] = []
    for joint in solution.problem.character.joints:
        if joint.role is not JointRole.CONFIGURABLE or not joint.coordinate_names:
            continue
        columns = [place[name] for name in joint.coordinate_names]
        before, after = (one.point.design[columns] for one in (solution.initial, solution.optimized))
        if np.max(np.abs(after - before)) < _UNCHANGED:
            unchanged.append(_spaced(joint.name))
            continue
        bodies = f"{_spaced(joint.parent)} to {_spaced(joint.child)}"
        told = (
            _ball_change(joint, before, after) if joint.type is JointType.SPHERICAL else _change(joint, before, after)
        )
        rows.append((joined(_spaced(joint.name), element("small", f"{joint.type}, {bodies}")), *told))
    if not (rows or unchanged):
        return None
    heads = ("Configurable joint", "Before", "After", "Changed by", "About", "Of its range")
    stays = element("p", "As before: ", ", ".join(unchanged), ".", class_="lead") if unchanged else None
    return joined(plain_table(heads, rows) if rows else None, stays)


def _ball_change(joint: Joint, before: np.ndarray, after: np.ndarray) -> Row:
    """Before, after, change, axis and share of the range of a ball joint, as people read them."""
    turns = [math.degrees(float(quaternions.angle_between(q, (1.0, 0.0, 0.0, 0.0)))) for q in (before, after)]
    turn = quaternions.multiply(quaternions.conjugate(before), after)
    vector = quaternions.rotation_vector_from_quaternion(turn if turn[0] >= 0.0 else -turn)
    angle = float(np.linalg.norm(vector))
    axis = ", ".join(f"{value:.3f}" for value in vector / max(angle, 1e-12) + 0.0)
    most = joint.limits[0].upper if joint.limits else None
    share = "-" if most is None or most >= math.pi else percent(math.radians(turns[1]) / most)
    return (*(f"{one:.2f} deg" for one in turns), f"{math.degrees(angle):.2f} deg", axis, share)


def _change(joint: Joint, before: np.ndarray, after: np.ndarray) -> Row:
    """The same for a joint whose coordinates are angles and lengths."""
    factors = [(180.0 / math.pi, "deg") if unit == "rad" else (1000.0, "mm") for unit in units_of_joint(joint)]

    def told(values: np.ndarray, sign: str = "") -> str:
        pairs = zip(values, factors, strict=True)
        return ", ".join(f"{factor * value:{sign}.2f} {unit}" for value, (factor, unit) in pairs)

    shares = []
    for limits, value in zip(joint.limits, after, strict=False):
        low, high = limits.range
        if math.isfinite(low) and math.isfinite(high) and high > low:
            shares.append(abs(value - 0.5 * (low + high)) / (0.5 * (high - low)))
    return told(before), told(after), told(after - before, "+"), "", percent(max(shares)) if shares else "-"


def limit_table(solution: Solution) -> Markup | None:
    """Ranges and top speeds of actuators: how much is used, before and after; None where there are no limits."""
    old = {(one.name, one.kind): one for one in solution.initial.limit_shares}
    rows: list[Row] = []
    for one in solution.optimized.limit_shares:
        if one.kind == "design" or not (math.isfinite(one.lower) or math.isfinite(one.upper)):
            continue
        factor, unit = _unit(solution, one)
        reached = f"{rounded(factor * one.least)} to {rounded(factor * one.most)} {unit}"
        allowed = f"{rounded(factor * one.lower)} to {rounded(factor * one.upper)} {unit}"
        kind = "range" if one.kind == "position" else "speed"
        rows.append((_spaced(one.name), kind, allowed, reached, _meter(old[one.name, one.kind]), _meter(one)))
    return plain_table(("Actuator", "Limit", "Allowed", "Reached", "Used before", "Used after"), rows) if rows else None


def _unit(solution: Solution, one: LimitShare) -> tuple[float, str]:
    joints = (joint for joint in solution.problem.character.joints if one.name in joint.coordinate_names)
    joint = next(joints)
    unit = units_of_joint(joint)[joint.coordinate_names.index(one.name)]
    factor, name = {"rad": (180.0 / math.pi, "deg"), "m": (1000.0, "mm")}.get(unit, (1.0, ""))
    return factor, name + ("/s" if one.kind == "velocity" else "")


def _meter(one: LimitShare) -> Markup:
    width = 100.0 * min(max(one.share, 0.0), 1.0)
    beyond = one.share > 1.0 + 1e-9
    bar = element("span", element("i", style=f"width:{width:.0f}%"), class_="meter over" if beyond else "meter")
    return joined(bar, percent(one.share))


def assembly_table(solution: Solution) -> Markup:
    """Whether the mechanism holds together along the motion, before and after."""
    rows: list[Row] = []
    both = (solution.initial.motion, solution.optimized.motion)
    rows.append(("Steps whose loops close", *(f"{int(one.reached.sum())} of {len(one.reached)}" for one in both)))
    for name, what in (
        ("Largest row of joints", "residual"),
        ("Largest redundant row (left out of the solve)", "dropped_residual"),
        ("Largest contradiction among actuators", "actuator_residual"),
    ):
        rows.append((name, *(f"{float(np.nanmax(getattr(one, what), initial=0.0)):.1e}" for one in both)))
    rows.append(
        ("Smallest singular value", *(rounded(float(np.nanmin(one.smallest_singular_value)), 2) for one in both))
    )
    rows.append(("Changes of the assembly branch", *(str(len(one.branch_changes)) for one in both)))
    rows.append(("Flipped joints", *(", ".join(one.flipped_joints) or "none" for one in both)))
    return plain_table(("", "Initial", "Optimized"), rows)


def count_tables(solution: Solution) -> Markup:
    """What the mechanism and the problem are made of, as Tables 5 and 7 of Maloisel et al. (2023) count."""
    problem, counts = solution.problem, solution.problem.mechanism.counts
    parts: list[Row] = [("Components", counts.components)]
    for (kind, role), number in counts.joints.items():
        if kind is not JointType.GROUND:
            parts.append((f"{str(kind).capitalize()} joints, {role}", number))
    parts += [("Loops", counts.loops), ("Degrees of freedom", counts.mobility)]
    numbers: list[Row] = [
        ("State variables", counts.state_variables),
        ("Constraints", counts.constraints),
        ("Redundant: of joints, of actuators", f"{counts.redundant_passive}, {counts.redundant_active}"),
        ("Control variables", counts.control_variables),
        ("Design variables", counts.design_variables),
        ("Time steps", problem.step_count),
        ("Optimization variables", f"{problem.variable_count:,}"),
        ("Optimization constraints", f"{problem.constraint_count:,}"),
    ]
    return element(
        "div", plain_table(("The mechanism", ""), parts), plain_table(("The problem", ""), numbers), class_="side"
    )


def history_table(solution: Solution) -> Markup:
    """Every iteration."""
    rows: list[Row] = [
        (one.number, f"{one.objective:.6g}", f"{one.tracking:.6g}", f"{one.violation:.1e}", f"{one.dropped:.1e}",
         f"{one.step:.3g}", f"{one.damping:.1e}", f"{one.seconds:.2f}")
        for one in solution.history
    ]  # fmt: skip
    heads = ("Iteration", "Objective", "Targets", "Largest row", "Redundant rows", "Step", "Damping", "Seconds")
    return plain_table(heads, rows)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _short(value: float) -> str:
    return rounded(value, 2) if value >= 1e-4 else "0"


def _arrow(before: str, after: str) -> Markup:
    return joined(element("span", f"{before} → "), element("b", after))
