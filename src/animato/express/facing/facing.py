"""Answers of the facing solvers, and the sentences that go with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.express.facing.errors import SQRT_2, FacingError, FacingErrors

REACHED = 1e-6
"""Orientation error below which a target counts as faced."""


@dataclass(frozen=True, eq=False)
class Facing:
    """One answer.

    Attributes:
        positions: Of the chain's joints [rad or m], inside the limits, [n].
        error: Of the answer; not numbers where the target was none.
        reached: Whether the orientation error is below 1e-6.
        complete: Whether the search came to its end; False where time or work ran out, or the target was no rotation.
        status: How it went, one sentence.
        seconds: Time it took [s].
        iterations: Steps of the local solver, or iterations of the other methods.
    """

    positions: np.ndarray
    error: FacingError
    reached: bool
    complete: bool
    status: str
    seconds: float
    iterations: int


@dataclass(frozen=True, eq=False)
class FacingBatch:
    """Answers for many targets.

    Attributes:
        positions: Of the chain's joints [rad or m], inside the limits, [m, n].
        errors: Of the answers.
        iterations: Steps of the local solver, or iterations of the other methods, [m].
    """

    positions: np.ndarray
    errors: FacingErrors
    iterations: np.ndarray


def degrees_off(orientation: float) -> float:
    """The angle that an orientation error stands for [deg]."""
    return float(np.degrees(4.0 * np.arcsin(min(1.0, orientation / SQRT_2))))


def iterated_status(orientation: float, iterations: int) -> str:
    """How a solve by a method went that only iterates, in a sentence."""
    return f"Off the target by {degrees_off(orientation):.3g} deg after {iterations} iterations."


def status_of(orientation: float, *, complete: bool) -> str:
    """How a solve by animato's own method went, in a sentence."""
    if orientation < REACHED:
        return (
            "Faces the target exactly." if complete else "Faces the target; time ran out before the posture was best."
        )
    off = f"{degrees_off(orientation):.3g} deg"
    if complete:
        return f"The target is out of reach; the best compromise found is {off} off."
    return f"Time ran out; the best answer so far is {off} off the target."
