"""From a problem to the numbers of its terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Joint
from animato.mechanics.tree import Tree, build_contact_points, packed_tree
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.bearing import load_bearing, standing
from animato.mimic.optimization.terms import NearRows, PackedPoints, Terms, TorqueRows, Weights
from animato.mimic.problem import Problem

_ROOT = 6
_AXES = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_SIDES_OF_CONE = 4
_SWING, _SWING_PEAK = 10.0, 25.0  # [m/s^2] with which feet rise and come down, and to a swing's peak
_KEPT_CLEARANCE = 0.85  # of a swing of the person's foot, scaled


def packed_points(problem: Problem, frames: tuple[str, ...] = ()) -> PackedPoints:
    """All points that terms look at.

    Args:
        problem: What is asked.
        frames: Bodies that are to stay away from others.
    """
    tree, anatomy = packed_tree(problem.character), problem.anatomy
    landmarks = [anatomy.point(name) for name in ("pelvis", *problem.landmarks)]
    corners = [point for part in problem.plan.parts for point in part.points]
    points = [(one.body, one.position) for one in landmarks] + corners
    points += [(body, axis) for body in frames for axis in _AXES]
    bodies = np.array([tree.body_names.index(body) for body, _ in points])
    local = np.array([place for _, place in points], dtype=np.float64)
    return PackedPoints(build_contact_points(tree, points), bodies, local, len(problem.landmarks), len(corners), frames)


def terms_of(
    problem: Problem,
    *,
    scale: float,
    dynamics: bool,
    weights: Weights,
    near: NearRows | None = None,
    frames: tuple[str, ...] = (),
) -> Terms:
    """Everything that is asked, with the person scaled by `scale`."""
    options, tree = problem.options, packed_tree(problem.character)
    lower, upper, speeds = _ranges(tree)
    margin = 1.0 - options.margin
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    bounded = np.isfinite(lower) & np.isfinite(upper)
    lower, upper = (np.where(bounded, middle + sign * 0.999 * half, side) for sign, side in ((-1, lower), (1, upper)))
    posture, posture_weights = _postures(problem, tree, weights)
    later = np.zeros(0)
    blank = Terms(
        tree=tree,
        packed=packed_points(problem, frames),
        step=problem.step,
        weights=weights,
        targets=later,
        emphasis=later,
        path=later,
        hands=_wrists(problem),
        hand_gap=later,
        planted=later,
        pushing=later,
        standing=later,
        floored=later,
        heights=later,
        clearance=later,
        posture=posture,
        posture_weights=posture_weights,
        mesh=None if options.mesh_weight == 0.0 else options.mesh_weight / weights.size**2 * problem.mesh,
        mesh_places=later,
        acceleration=np.full((len(problem.times), _ROOT + len(lower)), options.acceleration_weight),
        lower=lower,
        upper=upper,
        speeds=speeds * margin,
        torques=_torque_rows(tree, margin if options.torque else np.inf, idle_columns(problem)),
        near=near or NearRows.none(),
        generators=cone(options.friction),
        dynamics=dynamics and options.balance,
    )
    return renewed_terms(blank, problem, scale)


def renewed_terms(terms: Terms, problem: Problem, scale: float) -> Terms:
    """Terms of the same robot after another stretch of the person, as many knots; pins and the mesh stay.

    Args:
        terms: Of the robot.
        problem: With the person and its contacts.
        scale: Of the person.
    """
    plan = problem.plan
    corner_parts = np.repeat(np.arange(len(plan.parts)), [len(part.points) for part in plan.parts])
    planted, pushing = load_bearing(plan)
    targets, path = scale * problem.relative, pelvis_path(problem, scale)
    return replace(
        terms,
        targets=targets,
        emphasis=problem.emphasis / terms.weights.size,
        path=path,
        hand_gap=_hand_gap(problem, scale),
        planted=planted[:, corner_parts],
        pushing=pushing[:, corner_parts],
        standing=standing(planted, plan)[:, corner_parts],
        floored=(planted | plan.lowered)[:, corner_parts],
        heights=np.array([part.height for part in plan.parts])[corner_parts],
        clearance=_clearance(problem, scale, planted | plan.lowered)[:, corner_parts],
        mesh_places=np.concatenate([path[:, None], path[:, None] + targets], axis=1),
    )


def cone(friction: float) -> np.ndarray:
    """Edges of a pyramid inside the friction cone, with a vertical part of 1, [edge, 3]."""
    angles = 2.0 * np.pi * np.arange(_SIDES_OF_CONE) / _SIDES_OF_CONE
    return np.column_stack([friction * np.cos(angles), friction * np.sin(angles), np.ones(_SIDES_OF_CONE)])


def pelvis_path(problem: Problem, scale: float) -> np.ndarray:
    """Where the robot's pelvis should roughly be [m], [knot, 3]: the person's, scaled about where it begins."""
    path, first = problem.person.landmark("pelvis"), problem.capture.landmark("pelvis")[0]
    begin = np.array([first[0], first[1], 0.0])  # of the whole capture, also for a part of the problem
    return np.asarray(begin + scale * (path - begin))


def idle_columns(problem: Problem) -> np.ndarray:
    """Coordinates that move no key-point and no contact, such as those of grippers and necks, [coordinate].

    They stay where they are in the stand, and what holds them there is not asked.
    """
    tree, plan = packed_tree(problem.character), problem.plan
    arrays = tree.arrays
    bodies = [problem.anatomy.point(name).body for name in ("pelvis", *problem.landmarks)]
    bodies += [body for part in plan.parts for body, _ in part.points]
    idle = np.ones(len(tree.coordinate_names), dtype=bool)
    for body in bodies:
        step = int(arrays.body_step[tree.body_names.index(body)])
        while step > 0:
            idle[arrays.coordinate[step]] = False
            step = int(arrays.parent[step])
    return idle


def _postures(problem: Problem, tree: Tree, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates to stay near and how much, [knot, coordinate] each: the stand, and poses that are pinned."""
    count, names = len(problem.times), tree.coordinate_names
    posture = np.tile(problem.anatomy.stand_posture, (count, 1))
    strength = np.tile(np.where(idle_columns(problem), weights.idle, weights.posture), (count, 1))
    for pin in problem.pins:
        knot = int(np.argmin(np.abs(problem.source_times - pin.time_s)))
        if abs(problem.source_times[knot] - pin.time_s) > problem.step:
            continue  # in another window
        for name, value in pin.values:
            posture[knot, names.index(name)], strength[knot, names.index(name)] = value, weights.pin
    return posture, strength


def _wrists(problem: Problem) -> tuple[int, int]:
    names = problem.landmarks
    if "left_wrist" in names and "right_wrist" in names:
        return names.index("left_wrist"), names.index("right_wrist")
    return 0, 0


def _hand_gap(problem: Problem, scale: float) -> np.ndarray:
    """Distance of hands that are together [m], NaN where they are not, [knot]."""
    if len({*_wrists(problem)}) < 2:
        return np.full(len(problem.times), np.nan)
    apart = np.linalg.norm(problem.person.landmark("left_wrist") - problem.person.landmark("right_wrist"), axis=1)
    return np.where(apart < problem.options.touch_m, scale * apart, np.nan)


def _clearance(problem: Problem, scale: float, down: np.ndarray) -> np.ndarray:
    """Height that parts of swinging feet have at least [m], 0 elsewhere, [knot, part].

    A foot that has just left or is about to land is not asked to be higher than a moderate acceleration brings it.

    Args:
        problem: What is asked.
        scale: Of the person.
        down: Parts that are on the floor, [knot, part].
    """
    plan, person = problem.plan, problem.person
    clearance = np.zeros(plan.planted.shape)
    for foot, side in enumerate(("left", "right")):
        columns = [n for n, part in enumerate(plan.parts) if part.name in (f"{side} heel", f"{side} toe")]
        levels = np.stack([person.landmark(f"{side}_{place}")[:, 2] for place in ("ankle", "toe")], axis=1)
        lifted = (levels - np.percentile(levels, 2.0, axis=0)).min(axis=1)
        swing = np.where(plan.support[:, foot], 0.0, _KEPT_CLEARANCE * scale * np.maximum(lifted, 0.0))
        clearance[:, columns] = _softened(swing, np.asarray(down[:, columns].any(axis=1)), problem.step)[:, None]
    return clearance


def _softened(swing: np.ndarray, down: np.ndarray, step: float) -> np.ndarray:
    """Clearance that is reached from the floor and back with moderate accelerations, more at a swing's peak only."""
    knots = np.arange(len(swing))
    landed = np.flatnonzero(down)
    if not len(landed):
        return swing
    after = landed[np.clip(np.searchsorted(landed, knots), 0, len(landed) - 1)]
    before = landed[np.clip(np.searchsorted(landed, knots, side="right") - 1, 0, len(landed) - 1)]
    time = step * np.minimum(np.abs(after - knots), np.abs(knots - before))
    peaks = np.zeros(len(swing), dtype=bool)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (swing > 0.0).astype(np.int64), [0]]))).reshape(-1, 2)
    for begin, end in edges:
        peaks[begin + int(np.argmax(np.minimum(swing, 0.5 * _SWING_PEAK * time**2)[begin:end]))] = True
    return np.minimum(swing, 0.5 * np.where(peaks, _SWING_PEAK, _SWING) * time**2)


def _joints(tree: Tree) -> list[tuple[Joint, int]]:
    """Of each column of velocity behind the root, its joint and its axis."""
    joints: list[tuple[Joint, int]] = []
    for joint in tree.dof_joints[_ROOT:]:
        assert joint is not None  # only the root's columns have none
        joints.append((joint, sum(1 for other, _ in joints if other is joint)))
    return joints


def _ranges(tree: Tree) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bounds and speed limits of coordinates; infinite where there are none."""
    limits = [joint.limits[axis] for joint, axis in _joints(tree)]
    lower, upper = np.array([one.range for one in limits]).reshape(-1, 2).T
    speeds = np.array([np.inf if one.velocity is None else one.velocity for one in limits])
    return lower, upper, speeds


def _torque_rows(tree: Tree, margin: float, idle: np.ndarray) -> TorqueRows:
    """One row a motor that is not idle, and one more where it has less to give the faster it turns."""
    dof, by_torque, by_speed = [], [], []
    for column, (joint, axis) in enumerate(_joints(tree), start=_ROOT):
        limits = joint.limits[axis]
        most = limits.torque if limits.curve is None else limits.curve.torques[0]
        if most is None or not np.isfinite(margin) or idle[column - _ROOT]:
            continue
        most = min(most, limits.torque) if limits.torque is not None else most
        dof.append(column)
        by_torque.append(1.0 / (margin * most))
        by_speed.append(0.0)
        if limits.curve is not None:
            dof.append(column)
            by_torque.append(1.0 / (margin * limits.curve.torques[0]))
            by_speed.append(1.0 / (margin * _speed_at_nothing(limits.curve.speeds, limits.curve.torques)))
    return TorqueRows(np.array(dof, dtype=np.int64), np.array(by_torque), np.array(by_speed))


def _speed_at_nothing(speeds: tuple[float, ...], torques: tuple[float, ...]) -> float:
    """Where the straight line from the torque at rest, on or below the whole curve, has come down to nothing."""
    falls = [
        (torques[0] - torque) / speed for speed, torque in zip(speeds[1:], torques[1:], strict=True) if speed > 0.0
    ]
    steepest = max(falls, default=0.0)
    return torques[0] / steepest if steepest > 0.0 else np.inf


def torque_shares(problem: Problem, torques: np.ndarray) -> np.ndarray:
    """Largest share of a limit of torque at each knot, [knot]; speeds are left to `LimitUsage`."""
    rows = _torque_rows(packed_tree(problem.character), 1.0, idle_columns(problem))
    plain = rows.by_speed == 0.0
    if not plain.any():
        return np.zeros(len(torques))
    return np.asarray(np.abs(torques[:, rows.dof[plain]] * rows.by_torque[plain]).max(axis=1))


def speed_shares(problem: Problem, controls: ControlPoints) -> np.ndarray:
    """Largest share of a limit of velocity around each knot, [knot]."""
    _, _, speeds = _ranges(packed_tree(problem.character))
    share = np.abs(np.diff(controls.joints, axis=0)) / (problem.step * speeds)
    worst = share.max(axis=1, initial=0.0)
    return np.maximum(worst[:-1], worst[1:])
