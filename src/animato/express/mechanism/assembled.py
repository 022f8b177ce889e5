"""A mechanism whose actuators stand somewhere, and how to get it elsewhere without leaving its branch of assembly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.loops.assembly import normalized_state, unit_scales
from animato.mechanics.loops.constraints import (
    ConstraintFactors,
    Mechanism,
    constraint_jacobians,
    factor_constraints,
    sensitivities,
)

_ROUNDS = 8  # of Newton's method; more means that the way was too long
_CLOSED = 1e-10  # [rad, or typical lengths] correction below which all loops are closed
_EXPLAINED = 0.25  # of a state's change that first order does not explain, above which it counts as a jump
_LONGEST = 0.2  # [rad or m] of one part of a way
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
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
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
        """The mechanism with other controls, or as far on the straight way to them as its loops close.

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
            if found is not None and self._explained(here, found, guess):
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


def _side(factors: ConstraintFactors) -> float:
    return float(factors.determinant_sign[0])
