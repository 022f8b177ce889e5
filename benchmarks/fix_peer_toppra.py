"""toppra along the path of a clip: the path stays as it is (clamped to the range), only the timing changes.

It keeps velocity, acceleration and torque at its grid, and knows neither jerk nor speed-torque curves. So it is helped:
it is told lower limits, its tempo is smoothed over some frames, and what is then still over is played slower as a
whole; the fastest of all that keeps every limit is taken. It is never faster than the artist: the artist's time is one
more axis of its path, with the velocity limit 1.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from animato.mechanics.tree import inverse_dynamics_kernel, packed_tree, states_of_clip
from animato.motion import Clip
from animato.spatial import quaternions
from benchmarks.fix_cases import Case
from benchmarks.fix_measures import Result
from benchmarks.fix_peers import (
    MOST_SLOWDOWN,
    bounds,
    clamped,
    holds,
    in_range,
    least_slowdown,
    mean_deviation,
    stretched,
)

SCALES = (1.0, 0.85, 0.7, 0.5, 0.35)
"""Shares of the limits that it is told."""

WIDTHS = (0.0, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0)
"""Frames over which its tempo is smoothed."""

GRID = 3
"""Points of its grid for each frame of the clip."""

FREE = 1e5
"""A limit of the axis that is the artist's time."""


def toppra_on_path(case: Case) -> Result:
    """The shortest motion along the path, never faster than the artist, that keeps every limit."""
    begin = time.perf_counter()
    path = in_range(case)
    best: tuple[float, Clip | None, np.ndarray | None, str] = (np.inf, None, None, "it found no timing")
    for scale in SCALES:
        tempo = _tempo(case, path, scale, fastest=1.0)
        if tempo is None or _lasts(tempo, path) > MOST_SLOWDOWN * path.duration:
            continue
        ways = [(tempo, width) for width in WIDTHS] + [(_eased(tempo, width), 0.0) for width in WIDTHS[1:]]
        for eased, width in ways:
            if _lasts(eased, path) > best[0]:
                continue
            clip, pace = _performed(path, eased, width)
            factor = least_slowdown(case, clip)
            if factor is not None and factor * clip.duration < best[0]:
                how = f"smoothed over {width:g} frames" if eased is tempo else "tempo eased"
                note = f"{100 * scale:.0f} % of the limits, {how}, then {factor:.2f} times slower"
                best = (factor * clip.duration, stretched(clip, factor), pace, note)
    return Result("toppra", best[1], best[2], time.perf_counter() - begin, best[3])


def toppra_in_time(case: Case) -> Result:
    """Along the path at the artist's duration: faster than the artist where it can, so as to be slower elsewhere."""
    begin = time.perf_counter()
    best: tuple[float, Clip | None, str] = (np.inf, None, "no timing of the path lasts as long and keeps all limits")
    for inset in (0.0, 0.01):
        path = clamped(case, inset)
        for scale in SCALES:
            for fastest in (1.25, 1.7, 3.0):
                tempo = _tempo(case, path, scale, fastest=fastest)
                if tempo is None or _lasts(tempo, path) > path.duration:
                    continue
                for width in WIDTHS:
                    clip = _fitted(path, _capped(tempo, path), width)
                    if holds(case, clip):
                        error = mean_deviation(case, clip)
                        note = f"{100 * scale:.0f} % of the limits, smoothed over {width:g} frames"
                        best = min(best, (error, clip, note), key=lambda one: one[0])
    return Result("toppra in time", best[1], None, time.perf_counter() - begin, best[2])


def _tempo(case: Case, path: Clip, scale: float, *, fastest: float) -> np.ndarray | None:
    """The highest tempo at the grid, [point]; None where toppra finds none."""
    import toppra
    from toppra import algorithm, constraint

    logging.getLogger("toppra").setLevel(logging.CRITICAL)
    held: list[Any] = []

    def both(limit: np.ndarray, last: float) -> np.ndarray:
        all_of = np.append(np.minimum(limit, FREE), last)
        return np.stack([-all_of, all_of], axis=1)

    velocity, acceleration, torque = (bounds(case, kind) for kind in ("velocity", "acceleration", "torque"))
    held.append(constraint.JointVelocityConstraint(both(scale * velocity, fastest)))
    if np.any(np.isfinite(acceleration)):
        held.append(constraint.JointAccelerationConstraint(both(scale * acceleration, FREE)))
    if np.any(np.isfinite(torque)) and not case.character.floats:
        torques = _torques(case, path)
        held.append(constraint.JointTorqueConstraint(torques, both(scale * torque, FREE), _friction(case, path)))
    grid = np.linspace(path.times[0], path.times[-1], GRID * (path.frame_count - 1) + 1)
    instance = algorithm.TOPPRA(held, _path(path, toppra), gridpoints=grid, solver_wrapper="seidel")
    # It may begin and end at any tempo: an artist's motion need not be at rest there.
    sets = instance.compute_controllable_sets(0.0, fastest)
    if np.isnan(sets).any():
        return None
    instance.compute_controllable_sets = lambda *_: sets
    _, tempo, _ = instance.compute_parameterization(float(np.sqrt(sets[0, 1])) * (1.0 - 1e-9), 0.0)
    return None if tempo is None or np.isnan(tempo).any() else np.maximum(tempo, 1e-4)


def _path(clip: Clip, toppra: Any) -> Any:
    class Path(toppra.interpolator.AbstractGeometricPath):  # type: ignore[misc]
        """The clip's spline, and the artist's time as the last axis."""

        def __call__(self, s: np.ndarray, order: int = 0) -> np.ndarray:
            where = np.clip(np.asarray(s, dtype=np.float64), clip.times[0], clip.times[-1])
            own = clip.spline(where, derivative=order)
            last = (where, np.ones_like(where), np.zeros_like(where))[order]
            joined = np.column_stack([own, np.atleast_1d(last)])
            return joined if np.ndim(s) else joined[0]

        @property
        def dof(self) -> int:
            return len(clip.names) + 1

        @property
        def path_interval(self) -> np.ndarray:
            return np.array([clip.times[0], clip.times[-1]])

        @property
        def waypoints(self) -> None:
            return None

    return Path()


def _torques(case: Case, path: Clip) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Our inverse dynamics as toppra asks for it, without dry friction; the last axis has none."""
    tree = packed_tree(case.character)
    dofs = [tree.dof_names.index(name) for name in path.names]
    coordinates = [tree.coordinate_names.index(name) for name in path.names]
    still = states_of_clip(case.character, path, path.times[:1])
    q, root = np.array(still.positions), still.root

    def torques(position: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        q[0, coordinates] = position[:-1]
        v, a, tau = (np.zeros_like(still.velocities) for _ in range(3))
        v[0, dofs], a[0, dofs] = velocity[:-1], acceleration[:-1]
        inverse_dynamics_kernel(tree.arrays, q, v, a, root, tau)
        return np.append(tau[0, dofs] + tree.armature[dofs] * acceleration[:-1], 0.0)

    return torques


def _friction(case: Case, path: Clip) -> np.ndarray:
    tree = packed_tree(case.character)
    return np.append(np.asarray(tree.friction)[[tree.dof_names.index(name) for name in path.names]], 0.0)


def _eased(tempo: np.ndarray, width: float) -> np.ndarray:
    """A tempo that is nowhere far above the lowest within some frames, smooth along the path."""
    points = width * GRID
    lowest = minimum_filter1d(tempo, 2 * int(np.ceil(points)) + 1)
    return np.asarray(gaussian_filter1d(lowest, 0.6 * points, mode="nearest"))


def _lasts(tempo: np.ndarray, path: Clip) -> float:
    step = path.duration / (len(tempo) - 1)
    return float(np.sum(2.0 * step / (tempo[1:] + tempo[:-1])))


def _capped(tempo: np.ndarray, path: Clip) -> np.ndarray:
    """The tempo cut at the height at which the path lasts as long as the artist's motion: slow only where it must."""
    low, high = 0.0, float(tempo.max())
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _lasts(np.minimum(tempo, middle), path) > path.duration else (low, middle)
    return np.minimum(tempo, high)


def _performed(path: Clip, tempo: np.ndarray, width: float) -> tuple[Clip, np.ndarray]:
    """Frames at the clip's own rate along the path, and the artist's time of each, smoothed over some frames."""
    grid = np.linspace(path.times[0], path.times[-1], len(tempo))
    steps = 2.0 * np.diff(grid) / (tempo[1:] + tempo[:-1])
    times = np.concatenate([[0.0], np.cumsum(steps)])
    rate = (path.frame_count - 1) / path.duration
    count = max(int(np.ceil(times[-1] * rate - 1e-9)), 4)
    when = np.linspace(0.0, times[-1], count + 1)
    piece = np.clip(np.searchsorted(times, when, side="right") - 1, 0, len(steps) - 1)
    gone = when - times[piece]
    speeding = (tempo[piece + 1] ** 2 - tempo[piece] ** 2) / (2.0 * np.diff(grid)[piece])
    pace = grid[piece] + tempo[piece] * gone + 0.5 * speeding * gone**2
    pace[0], pace[-1] = grid[0], grid[-1]
    pace = np.clip(_smoothed(pace, width), grid[0], grid[-1])
    pace = np.maximum.accumulate(pace)
    base = path.base_spline
    there = None if base is None else base(pace)
    clip = Clip(
        when,
        path.names,
        path.spline(pace),
        None if there is None else there[:, :3],
        None if there is None else quaternions.normalized(there[:, 3:]),
        "toppra",
    )
    return clip, pace


def _smoothed(pace: np.ndarray, width: float) -> np.ndarray:
    """The artist's time of each frame as a Gaussian mean over frames; first and last stay, and so does the duration."""
    if width == 0.0:
        return pace
    count = len(pace)
    padded = np.concatenate([2.0 * pace[0] - pace[:0:-1], pace, 2.0 * pace[-1] - pace[-2::-1]])
    return np.asarray(gaussian_filter1d(padded, width, mode="nearest")[count - 1 : 2 * count - 1])


def _fitted(path: Clip, tempo: np.ndarray, width: float) -> Clip:
    """The same with the artist's duration exactly: what is left of a difference is spread evenly."""
    return _performed(path, tempo * (_lasts(tempo, path) / path.duration), width)[0]
