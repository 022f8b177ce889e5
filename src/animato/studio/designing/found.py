"""What a design found, as it comes back from where it was solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character
from animato.design import DesignPoint, TrackingErrors
from animato.motion import Clip
from animato.studio.designing.changes import Change


@dataclass(frozen=True)
class Off:
    """How far off targets are.

    Attributes:
        places: Typical (root mean square, which is what a design makes small) and largest distance [m]; None where no
            place is asked for.
        turns: Typical and largest angle [rad]; None where no turn is asked for.
    """

    places: tuple[float, float] | None
    turns: tuple[float, float] | None

    @classmethod
    def of(cls, errors: TrackingErrors) -> Off:
        """Over all targets and steps."""
        return cls(_typical_and_most(errors.positions), _typical_and_most(errors.orientations))

    def for_page(self) -> dict[str, Any]:
        """Plain values, in millimetres and degrees."""
        places, turns = self.places, self.turns
        return {
            "mm": None if places is None else [round(1e3 * one, 3) for one in places],
            "deg": None if turns is None else [round(float(np.degrees(one)), 3) for one in turns],
        }


def _typical_and_most(table: np.ndarray) -> tuple[float, float] | None:
    known = table[np.isfinite(table)]
    return (float(np.sqrt(np.mean(known**2))), float(known.max())) if len(known) else None


@dataclass(frozen=True, eq=False)
class Side:
    """What a mechanism does, before or after.

    Attributes:
        point: Design, controls and states.
        off: How far off all targets are.
        each: The same by target.
        paths: Of the targets' points [m], shape [target, step, 3].
        poses: Of the character's own bodies: x, y, z [m], then wxyz; shape [step, body, 7].
        coordinates: Of the character [rad or m], shape [step, coordinate].
    """

    point: DesignPoint
    off: Off
    each: tuple[Off, ...]
    paths: np.ndarray
    poses: np.ndarray
    coordinates: np.ndarray


@dataclass(frozen=True, eq=False)
class Found:
    """What came out.

    Attributes:
        number: Of the request that it answers.
        rough: Whether it is what can be had while somebody drags: fewer steps, a few iterations, no judgement.
        usable: Whether the mechanism can be built and keeps its limits.
        words: Why it cannot be used, or how the search ended.
        verdict: "met", "missed" or "lost" of the targets; "" where it is rough.
        times: From the start of the target [s], shape [step].
        steps: Which steps of the target they are, shape [step].
        before: The character as it is, as well as its motors can.
        after: What was found.
        changes: What would be built otherwise.
        character: The proposal, with joints that can be designed; None where it is rough.
        clip: What the proposal does; None where it is rough.
        seconds: Time it took [s].
    """

    number: int
    rough: bool
    usable: bool
    words: str
    verdict: str
    times: np.ndarray
    steps: np.ndarray
    before: Side
    after: Side
    changes: tuple[Change, ...]
    character: Character | None
    clip: Clip | None
    seconds: float
