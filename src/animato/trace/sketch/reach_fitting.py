"""Finds where on a plane a robot can draw a flat stroke, as large as possible.

Many places are tried at once: each is where the robot's point is at random joint positions, which thereby are the
start of the search there. From the middle of the drawing the point is led to its beginning and along the whole of it,
so a place counts only if the robot can go through without jumping. Of the places that are as good, the one wins at
which the joints have to move least for the point to move.
"""

from __future__ import annotations

import math

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.mechanics.tree import PointKinematics, build_point_kinematics
from animato.motion import Posture, Stroke
from animato.trace.sketch.plane import Plane
from animato.trace.sketch.reach import step_towards

CANDIDATES = 160
_SAMPLES = 64  # of the drawing, evenly along it
_APPROACH = 12  # steps from the middle of the drawing to its beginning
_ITERATIONS = 4  # at each sample
_SHRINK = 0.85
_SMALLEST = 0.02  # of the wanted size
_NEAR = 2e-3  # of the size of the drawing: such a miss is none
_COMFORT = 0.9  # of a range that may be used, so that smoothing and other strokes find room


def fitted_plane(
    character: Character,
    point: str,
    stroke: Stroke,
    plane: Plane,
    *,
    size: float | None = None,
    start: Posture | None = None,
    random_seed: int = 0,
) -> Plane:
    """The plane with the stroke where the point can follow all of it, as large as possible up to `plane.scale`.

    Args:
        character: The robot.
        point: Its point that draws.
        stroke: Flat.
        plane: The way the board faces, its turn, mirroring and largest scale. Where it is `centred` its place stays as
            it is and the scale alone is found; else the place is found too, anywhere in the robot's reach.
        size: Largest width or height of the drawing in the world [m], instead of the scale.
        start: Of the robot; places near it are preferred.
        random_seed: Another one tries other places.

    Raises:
        MotionError: Nowhere even a small drawing can be followed.
    """
    if size is not None and not (math.isfinite(size) and size > 0.0):
        raise OptionError(f"The size of a drawing is a number above 0 m, given {size}.")
    shape = plane.resized(np.zeros(3), 1.0).to_world(_evenly(stroke))
    extent = float(np.ptp(np.column_stack([shape @ plane.u, shape @ plane.v]), axis=0).max())
    largest = plane.scale if size is None else size / extent
    points = build_point_kinematics(character, [point], start=start)
    q, middles = _starts(points, plane, np.random.default_rng(random_seed))
    scale = largest
    while scale >= _SMALLEST * largest:
        missed, effort = _followed(points, q, middles, scale * shape)
        good = np.flatnonzero(missed <= _NEAR * scale * extent)
        if len(good):
            best = int(good[np.argmin(effort[good])])
            return plane.resized(middles[best], scale)
        # places where hardly anything was within reach are not worth another try
        keep = np.argsort(missed)[: max(16, len(missed) // 2)]
        q, middles = q[keep], middles[keep]
        scale *= _SHRINK
    where = "there" if plane.centred else "on any such plane"
    raise MotionError(
        f"'{point}' of '{character.name}' cannot follow this stroke {where}, not even at {_SMALLEST:.0%} of its size. "
        f"Try another plane, such as 'xz' or 'yz', or another place."
    )


def _evenly(stroke: Stroke) -> np.ndarray:
    """The flat stroke at evenly spaced places of its path [m], shape [sample, 2]."""
    if stroke.points.shape[1] != 2:
        raise MotionError("Only a flat stroke can be fitted onto a plane; this one is in space already.")
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(stroke.points, axis=0), axis=1))])
    if along[-1] == 0.0:
        raise MotionError("The stroke has no length: all its points are the same place. Draw a line, not a dot.")
    where = np.linspace(0.0, along[-1], _SAMPLES)
    return np.stack([np.interp(where, along, column) for column in stroke.points.T], axis=1)


def _starts(points: PointKinematics, plane: Plane, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Joint positions and where they bring the point [m]: the middles of drawings to try."""
    comfortable = _comfortable(points)
    lower, upper = comfortable.lower, comfortable.upper
    spread = generator.uniform(lower, upper, (CANDIDATES, len(lower)))
    # half of them near the start posture: postures that look like the robot's own, not like knots
    near = points.start + 0.35 * (spread[: CANDIDATES // 2] - points.start)
    q = np.clip(np.vstack([points.start[None], near, spread[CANDIDATES // 2 :]]), lower, upper)
    if plane.centred:
        middle = np.tile(plane.origin, (len(q), 1, 1))
        for _ in range(60):
            q = step_towards(comfortable, q, middle)
        return q, middle[:, 0]
    return q, points.places(q)[:, 0]


def _comfortable(points: PointKinematics) -> PointKinematics:
    """The same with ranges a little narrower; joints that turn for ever get one turn to either side."""
    from dataclasses import replace

    lower = np.where(np.isfinite(points.lower), points.lower, points.start - np.pi)
    upper = np.where(np.isfinite(points.upper), points.upper, points.start + np.pi)
    middle, half = 0.5 * (lower + upper), 0.5 * _COMFORT * (upper - lower)
    return replace(points, lower=middle - half, upper=middle + half)


def _followed(
    points: PointKinematics, q: np.ndarray, middles: np.ndarray, shape: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Largest miss [m] along the drawing, and how hard it was, of each place; shapes [place]."""
    comfortable = _comfortable(points)
    way_in = np.linspace(0.0, 1.0, _APPROACH + 1)[1:, None] * shape[0]
    missed, effort = np.zeros(len(q)), np.zeros(len(q))
    previous: np.ndarray | None = None
    for step, offset in enumerate(np.vstack([way_in, shape])):
        targets = (middles + offset)[:, None]
        for _ in range(_ITERATIONS):
            q = step_towards(comfortable, q, targets)
        if step < _APPROACH:
            continue
        off = np.linalg.norm(points.places(q)[:, 0] - targets[:, 0], axis=1)
        missed = np.maximum(missed, off)
        if previous is not None:
            effort = np.maximum(effort, np.abs(q - previous).max(axis=1))
        previous = q
    from_start = np.abs(q - points.start).max(axis=1)
    return missed, effort * (1.0 + 0.2 * from_start)
