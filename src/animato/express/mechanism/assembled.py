"""A mechanism whose actuators stand somewhere, and how to get it elsewhere without leaving its branch of assembly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import JointType
from animato.mechanics.loops.assembly import normalized_state, unit_scales
from animato.mechanics.loops.constraints import (
    ConstraintFactors,
    Mechanism,
    constraint_jacobians,
    factor_constraints,
    joint_coordinates,
    sensitivities,
)

_ROUNDS = 8  # of Newton's method; more means that the way was too long
_CLOSED = 1e-10  # [rad, or typical lengths] correction below which all loops are closed
_EXPLAINED = 0.25  # of a state's change that first order does not explain, above which it counts as a jump
_LONGEST = 0.2  # [rad or m] of one part of a way
_OUTSIDE = 1e-4  # [rad or m] by which a passive joint may leave its range between two moves
_SHORTEST = 0.03  # share of a part below which the way ends


@dataclass(frozen=True, eq=False)
class Assembled:
    """All bodies for one set of controls.

    Attributes:
        controls: [rad or m], [control].
        state: Position [m] and quaternion wxyz of every body, [state].
        slopes: Change of the state with each control, [state, control].
        side: Sign of the determinant of the rows: another sign is another branch of assembly.
    """

    controls: np.ndarray
    state: np.ndarray
    slopes: np.ndarray
    side: float


class Assembly:
    """Moves a mechanism by its controls.

    Args:
        mechanism: Without actuators that could contradict one another.

    Attributes:
        passive: Coordinates of passive joints that have ranges.
        ranges: Of these [rad or m], [m, 2].
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.passive, self.ranges = _passive_ranges(mechanism)
        self._design = mechanism.design[None]
        self._scale = unit_scales(mechanism)[1]

    def at_rest(self) -> Assembled | None:
        """The mechanism as it was assembled; None where that is a singular pose."""
        return self._closed(self.mechanism.state, self.mechanism.controls)

    def _closed(self, guess: np.ndarray, controls: np.ndarray) -> Assembled | None:
        """The state near a guess at which all loops are closed; None where Newton's method does not find one."""
        state, u = normalized_state(guess[None]), controls[None]
        for _ in range(_ROUNDS):
            found = constraint_jacobians(self.mechanism, state, u, self._design)
            factors = factor_constraints(self.mechanism, found.state)
            step = factors.solve(found.values)
            size = float(np.abs(step / self._scale).max())
            if not size < 1.0:  # or not a number, where the rows are singular
                return None
            state = normalized_state(state - step)
            if size < _CLOSED:
                return Assembled(controls, state[0], self._slopes(state, u), _side(factors))
        return None

    def _slopes(self, state: np.ndarray, controls: np.ndarray) -> np.ndarray:
        found = constraint_jacobians(self.mechanism, state, controls, self._design)
        whole = sensitivities(found, factor_constraints(self.mechanism, found.state))[0]
        return np.asarray(-whole[:, : controls.shape[1]])

    def moved(self, here: Assembled, controls: np.ndarray) -> Assembled:
        """The mechanism with other controls, or as far on the straight way to them as its loops close and ranges allow.

        Args:
            here: Where it is.
            controls: Where they should be [rad or m], [control].
        """
        way = controls - here.controls
        if not way.any():
            return here
        begin, done = here, 0.0
        longest = min(1.0, _LONGEST / float(np.abs(way).max()))
        share = longest
        while done < 1.0:
            share = min(share, 1.0 - done)
            there = controls if done + share >= 1.0 else begin.controls + (done + share) * way
            guess = here.state + here.slopes @ (there - here.controls)
            found = self._closed(guess, there)
            if found is not None and self._explained(here, found, guess) and self._allowed(here, found):
                here, done, share = found, done + share, min(longest, 2.0 * share)
                continue
            share *= 0.5
            if share < _SHORTEST:
                break
        return here

    def _explained(self, here: Assembled, found: Assembled, guess: np.ndarray) -> bool:
        """Whether a state is on the same branch as the one before it."""
        size, miss = (np.linalg.norm(part / self._scale) for part in (found.state - here.state, found.state - guess))
        return bool(found.side == here.side and miss <= _EXPLAINED * size + 1e-7)

    def passive_at(self, states: np.ndarray) -> np.ndarray:
        """Where passive joints that have ranges are at states [step, state] [rad or m], [step, m]."""
        return joint_coordinates(self.mechanism, states).columns(self.passive)

    def _allowed(self, here: Assembled, found: Assembled) -> bool:
        """Whether passive joints are inside their ranges, or no farther outside than before."""
        if not self.passive:
            return True
        values = self.passive_at(np.array([here.state, found.state]))
        outside = np.maximum(self.ranges[:, 0] - values, values - self.ranges[:, 1])
        return bool(np.all(outside[1] <= np.maximum(outside[0], _OUTSIDE)))


def _passive_ranges(mechanism: Mechanism) -> tuple[tuple[str, ...], np.ndarray]:
    """Coordinates of passive joints that have ranges, and these [rad or m], [m, 2]."""
    decided = {*mechanism.control_names, *mechanism.design_names}
    names: list[str] = []
    ranges: list[tuple[float, float]] = []
    for joint in mechanism.joints:
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False):
            if name not in decided and joint.type is not JointType.SPHERICAL and np.isfinite(limits.range).any():
                names.append(name)
                ranges.append(limits.range)
    return tuple(names), np.array(ranges).reshape(-1, 2)


def _side(factors: ConstraintFactors) -> float:
    return float(factors.determinant_sign[0])
