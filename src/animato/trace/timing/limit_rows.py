"""Every limit of a character along a path, as rows of a timing problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.mechanics.tree import packed_tree
from animato.trace.path import JointPath
from animato.trace.timing.axis_limits import AxisLimits, axis_limits
from animato.trace.timing.limit_rows_kernel import limit_rows_kernel
from animato.trace.timing.path_dynamics import PathDynamics, path_dynamics
from animato.trace.timing.segment_rows import PLACES

_SHARES = np.array([0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0])  # the PLACES of a segment
_ROWS_A_SEGMENT = 40  # that count, about
_BEYOND = 1e3  # the box is this much wider than what accelerations can reach


@dataclass(frozen=True, eq=False)
class LimitRows:
    """Rows alpha b_i + beta b_{i+1} + kappa k_i <= h of each segment.

    Attributes:
        first_row: Rows of segment i are first_row[i] to first_row[i + 1], [N + 1].
        rows: alpha, beta, kappa [s^2] and h, scaled to limits of 1, [row, 4].
        sources: What each is from: n * kind + degree of freedom; below 0 none, [row].
        highest: Largest b that any row allows [1/s^2], [N + 1].
        most_bent: Largest |k| [1/s^2], [N].
    """

    first_row: np.ndarray
    rows: np.ndarray
    sources: np.ndarray
    highest: np.ndarray
    most_bent: np.ndarray


class CoarseGridError(MotionError):
    """Segments are too long: what is not known of the torques between their places leaves no room for a motion.

    Attributes:
        segments: Which, [N].
    """

    def __init__(self, segments: np.ndarray, s: float) -> None:
        super().__init__(
            f"The grid is too coarse for the torques of this path, first at s = {s:.3f}: holding still takes almost "
            "all of a motor there. Take more segments, a lighter tool or a stronger motor."
        )
        self.segments = segments


def places_of(grid: np.ndarray) -> np.ndarray:
    """Where the dynamics are evaluated: PLACES a segment and the end, [PLACES * N + 1]."""
    inside = grid[:-1, None] + np.diff(grid)[:, None] * _SHARES
    return np.append(inside.ravel(), grid[-1])


def grid_dynamics(
    character: Character, path: JointPath, grid: np.ndarray, bounds: tuple[str, ...] = ()
) -> PathDynamics:
    """Coefficients of the dynamics at `places_of(grid)`."""
    return path_dynamics(character, path, places_of(grid), bounds)


def build_limit_rows(
    character: Character,
    dynamics: PathDynamics,
    grid: np.ndarray,
    *,
    lock: np.ndarray,
    rests: np.ndarray,
    reference: np.ndarray | None = None,
    with_torque: bool = True,
    margins: np.ndarray | None = None,
    bounds: tuple[str, ...] = (),
) -> LimitRows:
    """Collects the limits and keeps those rows that count.

    Args:
        character: Whose limits.
        dynamics: As from `grid_dynamics`.
        grid: s, [N + 1].
        lock: Largest b at each grid point [1/s^2], infinite where free, [N + 1].
        rests: Grid points at which the robot rests, [N + 1].
        reference: b near which speed-dependent torques are treated best [1/s^2], [N]; needed where there are any.
        with_torque: Whether torque limits hold.
        margins: Share of the torque limits that is to be left free on each segment, [N].
        bounds: Limits by direction, as in `Options.bounds`; those of torque are in the dynamics.

    Raises:
        MotionError: A joint cannot hold the robot still somewhere on the path, or nothing limits the speed.
        CoarseGridError: Segments are too long for the torques along them to be known well enough.
    """
    limits = axis_limits(character, bounds)
    if with_torque:
        refuse_what_gravity_breaks(character, dynamics, limits)
    widths = np.diff(grid)
    count = len(widths)
    box = _box(dynamics, limits, lock, with_torque)
    first_row, highest, most_bent = np.empty(count + 1, dtype=np.int64), np.empty(count + 1), np.empty(count)
    coarse = np.zeros(count, dtype=np.bool_)
    fault, room = -2, count * _ROWS_A_SEGMENT
    while fault == -2:
        room *= 2
        rows, sources = np.empty((room, 4)), np.empty(room, dtype=np.int64)
        fault = limit_rows_kernel(
            widths,
            dynamics,
            limits,
            with_torque,
            lock,
            rests,
            box,
            np.ones(count) if reference is None else reference,
            np.zeros(count) if margins is None else margins,
            coarse,
            rows,
            sources,
            first_row,
            highest,
            most_bent,
        )
    if fault == -3:
        raise CoarseGridError(coarse, float(grid[:-1][coarse][0]))
    used = int(first_row[-1])
    return LimitRows(first_row, rows[:used], sources[:used], highest, most_bent)


def refuse_what_gravity_breaks(character: Character, dynamics: PathDynamics, limits: AxisLimits) -> None:
    """Raises where a joint's torque limit is less than what holding still takes."""
    with np.errstate(invalid="ignore"):
        share = (np.abs(dynamics.c) + limits.friction) / _able(dynamics)
    place, dof = np.unravel_index(int(np.argmax(share)), share.shape)
    if share[place, dof] >= 1.0 - 1e-6:
        raise _cannot_hold(character, dynamics, limits, int(place), int(dof))


def _able(dynamics: PathDynamics) -> np.ndarray:
    """Limits of torque in the direction that holding still takes, [m, n]."""
    return np.where(dynamics.c >= 0.0, dynamics.most, dynamics.least)


def _cannot_hold(character: Character, dynamics: PathDynamics, limits: AxisLimits, place: int, dof: int) -> MotionError:
    tree = packed_tree(character)
    pose = ", ".join(
        f"{name} {value:.3g}" for name, value in zip(tree.coordinate_names[:12], dynamics.q[place], strict=False)
    )
    takes = abs(dynamics.c[place, dof]) + limits.friction[dof]
    return MotionError(
        f"Gravity alone is too much for joint '{tree.dof_names[dof]}' of '{character.name}' at s = "
        f"{dynamics.s[place]:.3f} of the path: holding still takes {takes:.4g} of"
        f" {_able(dynamics)[place, dof]:.4g} (N m, or N). The pose there: {pose}. "
        f"Move the stroke closer, take a lighter tool or a stronger motor."
    )


def _box(dynamics: PathDynamics, limits: AxisLimits, lock: np.ndarray, with_torque: bool) -> np.ndarray:
    """A bound on b at each grid point that no limit lets it reach."""
    dq = np.abs(dynamics.dq[::PLACES])
    with np.errstate(divide="ignore", invalid="ignore"):
        fastest, hardest = np.maximum(limits.up, limits.down)
        by_speed = np.nanmin(np.where(dq > 0.0, (fastest / dq) ** 2, np.inf), axis=1)
        push = np.where(dq > 0.0, hardest / dq, np.inf)
        if with_torque:
            a = np.abs(dynamics.a[::PLACES])
            able = np.maximum(dynamics.most, dynamics.least)[::PLACES]
            torque = np.where(a > 0.0, (able + np.abs(dynamics.c[::PLACES])) / a, np.inf)
            push = np.minimum(push, torque)
    push = push.min(axis=1)
    by_speed = np.minimum(by_speed, lock)
    reachable = push[np.isfinite(push)]
    if len(reachable) == 0 and not np.all(np.isfinite(by_speed)):
        raise MotionError(
            "Nothing limits the speed along the path: no joint that moves has a velocity, acceleration or torque "
            "limit. Give the character limits, or lock the tempo to the drawing."
        )
    high = _BEYOND * 2.0 * float(reachable.max()) if len(reachable) else np.inf
    return np.minimum(1.5 * by_speed, high)
