"""Why a mechanism cannot be assembled or driven, in words that name its parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Character, Joint
from animato.errors import MechanismError
from animato.mechanics.loops.assembly.loop_path import loop_of
from animato.mechanics.loops.assembly.reach import OutOfReach


def gap_words(distance: float, angle: float) -> str:
    """How far apart two frames are.

    Args:
        distance: [m].
        angle: [rad].
    """
    parts = [f"{1000.0 * distance:.3g} mm"] if distance > 1e-7 else []
    if angle > 1e-7:
        parts.append(f"{np.degrees(angle):.3g} degrees")
    return " and ".join(parts) or "less than can be said"


def open_loop_error(
    character: Character,
    gaps: Sequence[tuple[Joint, float, float]],
    starts: int,
    proofs: Sequence[OutOfReach | None] | None = None,
) -> MechanismError:
    """The error for loops that do not close: proven, or only not found.

    Args:
        character: Whose loops.
        gaps: (closing joint, distance [m], angle [rad]) of each loop that stays open.
        starts: From how many poses closing was tried.
        proofs: Where these loops stay open even while every other loop is cut: why each must, where known.
    """
    shown = [
        f"the loop {' - '.join(loop_of(character, joint))} stays open by {gap_words(distance, angle)} at '{joint.name}'"
        for joint, distance, angle in gaps[:4]
    ]
    more = f"; and {len(gaps) - 4} more" if len(gaps) > 4 else ""
    proven = [proof.words() for proof in proofs or () if proof is not None]
    found = f"no closed pose was found from {starts} starts"
    advice = "Check the frames of these joints and the lengths between them."
    if proven:
        start, more = "cannot be assembled", f"{more}. No pose can close it: {'; '.join(proven[:2])}"
    elif proofs is not None:
        start = f"could not be assembled: {found}. In the nearest"
        advice += " It may still have one: draw it nearer to it."
    else:
        start = f"could not be assembled: each loop closes alone, but {found} for all of them together. In the nearest"
        advice = "Their joints may contradict one another; check their frames, or free one of them."
    return MechanismError(f"'{character.name}' {start}: {'; '.join(shown)}{more}. {advice}")


def underactuated_error(
    character: Character, mobility: int, driven: int, bodies: Sequence[str], joints: Sequence[str]
) -> MechanismError:
    """The error for a mechanism that moves although all its actuators stand still.

    Args:
        character: Which one.
        mobility: Degrees of freedom with actuators free.
        driven: How many of them actuators determine.
        bodies: Those that move freely.
        joints: Passive joints that move with them.
    """
    free = mobility - driven
    freedom = "1 degree of freedom is" if free == 1 else f"{free} degrees of freedom are"
    shown = ", ".join(bodies[:12]) + (", ..." if len(bodies) > 12 else "")
    candidates = ", ".join(joints[:12]) + (", ..." if len(joints) > 12 else "")
    return MechanismError(
        f"'{character.name}' is under-actuated: it can move in {mobility} ways and its actuators determine {driven}, "
        f"so {freedom} left. These bodies move freely: {shown}. "
        f"Actuate {'one' if free == 1 else str(free)} of these joints, or make it fixed or configurable: {candidates}."
    )
