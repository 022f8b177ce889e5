"""The robot's configuration nearest to markers, q(V), by damped least squares.

    q(V) = argmin_q  sum_k w_k |p_k(q) - V_k|^2 / 2 + d |q - q_rest|^2 / 2 - e sum_j log((q_j - l_j) (u_j - q_j))

The damping d decides joints that markers leave open, and makes q a smooth function of the markers. Where ranges of
joints are given, the barrier keeps q within them whatever the markers are; asked of the markers instead, as limits of
the outer problem, they drive the fit to where two ways out are equally good and q(V) jumps. Where the gradient
vanishes, (J^T w J + sum_k w_k (p_k - V_k) . p_k'' + d + barrier'') dq = J^T w dV: derivatives of the outer problem are
exact. Markers that are held (eq. 6) weigh more, else a foot would leave the floor to let the head come nearer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import ContactPoints, Tree, contact_torques, forward_kinematics
from animato.mimic.published.marker_set import MarkerSet
from animato.mimic.published.postures import Postures
from animato.spatial import quaternions

DAMPING = 1e-3
"""d [m^2/rad^2]: a joint 1 rad from rest costs as much as a marker that is 3 cm off.

Markers never lie quite where the robot can have its own, and with less damping a wrist or a neck between two nearly
equal ways out would jump from one to the other as its markers move.
"""

HELD_WEIGHT = 100.0
"""w of markers that are held; all others weigh 1."""

BARRIER = 1e-4
"""e [m^2]: with one marker at 0.3 m pulling by 5 cm, a joint stays 0.4 degrees inside its range."""

_ITERATIONS = 200
_FIRST, _CAREFUL, _AGAIN, _MOST, _FADED = 1e-3, 1.0, 1e-4, 1e6, 1e-6  # Levenberg's damping, relative
_LESS, _MORE = 0.3, 10.0  # of it, after a step that was good or was not
_TO_LIMIT = 0.9  # of the way to a limit that a step may go
_INSIDE = 1e-3  # of a range: how far inside a fit begins
_ROUNDING = 1e-12  # of the cost: differences that mean nothing
_STILL = 1e-12  # [rad or m]: a Newton step this short ends it


@dataclass(frozen=True, eq=False)
class Fit:
    """The configurations of some frames.

    Attributes:
        postures: q(V).
        markers: p(q) [m], [frame, marker, 3].
        gains: dq/dV, of degrees of freedom in the order of the tree's, [frame, dof, 3 marker].
        still: Whether each frame's gradient vanished, [frame].
        cost: What is made small [m^2], [frame].
    """

    postures: Postures
    markers: np.ndarray
    gains: np.ndarray
    still: np.ndarray
    cost: np.ndarray


class MarkerFitter:
    """Fits a robot to markers, frame by frame, all frames at once."""

    def __init__(
        self,
        markers: MarkerSet,
        rest: np.ndarray,
        *,
        damping: float = DAMPING,
        ranges: tuple[np.ndarray, np.ndarray] | None = None,
        weights: np.ndarray | None = None,
    ) -> None:
        """Prepares.

        Args:
            markers: The robot's markers.
            rest: Coordinates that the damping pulls to, and of joints that no marker moves, [coordinate].
            damping: d [m^2/rad^2].
            ranges: Lower and upper limits of the coordinates to keep within, infinite where there is none,
                [coordinate]; none at all where not given.
            weights: w of the markers in each frame that will be fitted, [frame, marker]; 1 where not given.
        """
        self.markers, self.rest, self.damping = markers, rest, damping
        self.tree, self.points, self.moving = markers.tree, markers.points(), markers.moving()
        self.pull = np.where(np.arange(6 + len(rest)) < 6, 0.0, damping)
        endless = np.full(len(rest), np.inf)
        self.lower, self.upper = (-endless, endless) if ranges is None else ranges
        self.weights = weights
        self._fixed = ~np.isin(np.arange(len(rest)), self.moving[self.moving >= 6] - 6)

    def places(self, postures: Postures) -> np.ndarray:
        """p(q) [m], [frame, marker, 3]."""
        return point_places(self.markers, postures, self.points, self.tree)

    def fit(
        self, targets: np.ndarray, start: Postures, *, frames: np.ndarray | None = None, careful: bool = False
    ) -> Fit:
        """Fits to markers.

        Args:
            targets: [m], [frame, marker, 3].
            start: Postures of those frames to begin at.
            frames: Which of the frames that have weights these are; all where not given.
            careful: Begin with short steps: from far away long ones lead to where a knee would bend backward.
        """
        now, count = Postures(self._inside(start.q), start.root), len(targets)
        damping, left = np.full(count, _CAREFUL if careful else _FIRST), np.arange(count)  # frames that still move
        weights = np.ones(targets.shape[:2]) if self.weights is None else self.weights
        weights = weights if frames is None or self.weights is None else weights[frames]
        at = self._at(now, targets, weights)
        for _ in range(_ITERATIONS):
            before, held = at.part(left), now.part(left)
            step = self._steps(before, damping[left], held)
            trial = held.moved(step)
            then = self._at(trial, targets[left], weights[left])
            better = then.better_than(before)
            damping[left] = _next_damping(damping[left], better)
            now, at = now.replaced(left[better], trial.part(better)), at.replaced(left[better], then.part(better))
            left = left[~(better & (np.abs(step).max(axis=1) < _STILL))]
            if not len(left):
                break
        gains = np.zeros((count, len(self.pull), 3 * len(self.points.bodies)))
        roots = np.repeat(np.sqrt(weights), 3, axis=1)[:, None]
        gains[:, self.moving] = np.linalg.solve(at.matrix, at.jacobian[:, self.moving] * roots)
        return Fit(now, at.places, gains, ~np.isin(np.arange(count), left), at.cost)

    def _at(self, postures: Postures, targets: np.ndarray, weights: np.ndarray) -> _Point:
        places, roots = self.places(postures), np.sqrt(weights)
        off = places - targets
        pressed = contact_torques(self.tree, postures.q, postures.root, self.points, weights[..., None] * off)
        jacobian = (pressed.by_f * roots[:, None, :, None]).reshape(len(places), len(self.pull), -1)  # J^T sqrt(w)
        away = np.zeros_like(pressed.values)
        away[:, 6:] = postures.q - self.rest
        wall, slope, bend = self._walls(postures.q)
        gradient = pressed.values + self.pull * away + slope
        cost = 0.5 * np.sum(weights * np.sum(off**2, axis=2), axis=1) + 0.5 * np.sum(self.pull * away**2, axis=1) + wall
        n = self.moving
        plain = jacobian[:, n] @ jacobian[:, n].transpose(0, 2, 1) + np.diag(self.pull[n])
        plain += bend[:, n, None] * np.eye(len(n))
        return _Point(places, cost, gradient[:, n], plain, plain + pressed.by_q[:, n][:, :, n], jacobian)

    def _inside(self, q: np.ndarray) -> np.ndarray:
        """Coordinates brought strictly within the ranges, [frame, coordinate]."""
        limited = np.isfinite(self.lower) & np.isfinite(self.upper) & ~self._fixed
        room = _INSIDE * np.where(limited, self.upper - self.lower, 0.0)
        return np.where(limited, np.minimum(np.maximum(q, self.lower + room), self.upper - room), q)

    def _walls(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The barrier [frame], its slope and its bend by degree of freedom, [frame, dof]."""
        low = np.where(self._fixed, np.inf, q - self.lower)
        high = np.where(self._fixed, np.inf, self.upper - q)
        sides = np.concatenate([low, high], axis=1)
        cost = -BARRIER * np.sum(np.log(np.where(np.isfinite(sides), sides, 1.0)), axis=1)
        slope, bend = np.zeros((len(q), len(self.pull))), np.zeros((len(q), len(self.pull)))
        slope[:, 6:] = BARRIER * (1.0 / high - 1.0 / low)
        bend[:, 6:] = BARRIER * (1.0 / high**2 + 1.0 / low**2)
        return cost, slope, bend

    def _reach(self, q: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """The share of each frame's step that stays within the ranges, [frame, 1]."""
        moves, free = steps[:, 6:], ~self._fixed
        room = np.where(moves > 0.0, self.upper - q, q - self.lower)[:, free]
        share = _TO_LIMIT * room / np.maximum(np.abs(moves[:, free]), 1e-300)
        return np.minimum(1.0, share.min(axis=1, initial=np.inf))[:, None]

    def _steps(self, at: _Point, damping: np.ndarray, now: Postures) -> np.ndarray:
        """Damped steps by the exact matrix where it is positive definite, by Gauss and Newton's else, [frame, dof]."""
        least = np.linalg.eigvalsh(0.5 * (at.matrix + at.matrix.transpose(0, 2, 1)))[:, 0]
        matrix = np.where((least > 0.0)[:, None, None], at.matrix, at.plain)  # elsewhere it would lead to a saddle
        scale = np.einsum("fii->fi", at.plain)
        matrix = matrix + np.einsum("fi,ij->fij", damping[:, None] * scale, np.eye(matrix.shape[1]))
        steps = np.zeros((len(damping), len(self.pull)))
        steps[:, self.moving] = -np.linalg.solve(matrix, at.gradient[..., None])[..., 0]
        longest = np.abs(steps).max(axis=1, keepdims=True)
        steps = np.asarray(steps * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-12)))
        return steps * self._reach(now.q, steps)


@dataclass(frozen=True, eq=False)
class _Point:
    """Places, cost, gradient, Gauss and Newton's matrix, the exact one, and J^T sqrt(w) of all frames."""

    places: np.ndarray
    cost: np.ndarray
    gradient: np.ndarray
    plain: np.ndarray
    matrix: np.ndarray
    jacobian: np.ndarray

    def better_than(self, other: _Point) -> np.ndarray:
        """Which frames cost less, or as much within rounding and are nearer to where the gradient vanishes, [frame]."""
        slope, others = (np.linalg.norm(each.gradient, axis=1) for each in (self, other))
        even = self.cost <= other.cost + _ROUNDING * np.abs(other.cost)
        less = self.cost < other.cost - _ROUNDING * np.abs(other.cost)
        return np.asarray(less | (even & (slope <= others)))

    def part(self, chosen: np.ndarray) -> _Point:
        """Some of the frames."""
        return _Point(*(each[chosen] for each in vars(self).values()))

    def replaced(self, frames: np.ndarray, other: _Point) -> _Point:
        """With other values in some frames; written into this one."""
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine[frames] = theirs
        return self


def _next_damping(damping: np.ndarray, better: np.ndarray) -> np.ndarray:
    """Less after a step that made it better, more after another; faded to nothing it is begun anew."""
    less = np.where(damping < _FADED / _LESS, 0.0, _LESS * damping)
    more = np.minimum(np.maximum(_MORE * damping, _AGAIN), _MOST)
    return np.where(better, less, more)


def point_places(markers: MarkerSet, postures: Postures, points: ContactPoints, tree: Tree) -> np.ndarray:
    """Points on bodies in the world [m], [frame, point, 3]."""
    poses = forward_kinematics(markers.character, postures.still())
    index = [tree.body_names.index(body) for body in points.bodies]
    arrays = tree.arrays
    inward = np.einsum("kji,kj->ki", arrays.body_rotation[index], points.positions - arrays.body_position[index])
    turned = quaternions.rotate(poses.quaternions_wxyz[:, index], inward[None])
    return np.asarray(poses.positions[:, index] + turned)
