"""What a design is asked for, out of the document: which targets, how they are bent, what may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animato.character import Character
from animato.design import Solution, TargetMotion
from animato.errors import MotionError
from animato.outcome import Progress
from animato.studio.designing.bending import bent
from animato.studio.designing.solving import Request, designed
from animato.studio.designing.targets import Targets, line_targets, shipped, take_targets
from animato.studio.designing.wish import Wish
from animato.studio.document import Document

Making = tuple[Callable[..., Targets], tuple[Any, ...]]
"""A function that makes target paths, and what it needs."""


def making_of(document: Document, wish: Wish) -> Making:
    """The function that makes target paths, and what it needs.

    Raises:
        AnimatoError: The take is not there, or has nothing that could be followed.
    """
    if wish.kind == "shipped":
        return shipped, (document.character, wish.name)
    take = document.take(wish.name)
    if wish.kind == "drawing":
        lines = getattr(take.source, "strokes", ())
        if not lines:
            raise MotionError(f"The take '{take.name}' is no drawing; take its motion instead.")
        longest = max(lines, key=lambda one: float(one.duration))
        return line_targets, (document.character, longest.world, longest.point)
    if take.clip is None:
        raise MotionError(f"The take '{take.name}' has no motion yet.")
    return take_targets, (document.character, take.clip, wish.points, wish.turns)


def asked_motion(targets: Targets, wish: Wish) -> TargetMotion:
    """Targets as handles bend them, weighted."""
    names = {one.name for one in targets.motion.targets}
    weights = {name: factor for name, factor in wish.weights.items() if name in names}
    return bent(targets.motion, wish.handles).weighted(weights)


def request_of(targets: Targets, character: Character, wish: Wish, number: int = 0) -> Request:
    """What is solved."""
    return Request(number, character, wish.freed, asked_motion(targets, wish), targets.options, wish.keep_motors)


def designed_for(character: Character, making: Making, wish: Wish, progress: Progress | None = None) -> Solution:
    """The whole design for a wish, from its targets on.

    Args:
        character: As it is.
        making: From `making_of`.
        wish: What is asked for.
        progress: Told of every step.

    Raises:
        AnimatoError: The mechanism cannot be assembled or cannot follow; in a sentence.
    """
    function, arguments = making
    return designed(request_of(function(*arguments), character, wish), progress)
