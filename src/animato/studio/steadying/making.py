"""The work itself, as a process does it: motor profiles after which nothing wobbles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from animato.character import Character
from animato.motion import Clip
from animato.outcome import Progress

if TYPE_CHECKING:
    from animato.steady import Options

_LEAST_GAIN = 0.95  # of what was off before: with more than that left, nothing was gained


@dataclass(frozen=True, eq=False)
class Steadied:
    """What came out.

    Attributes:
        clip: Of the motors; None where nothing was gained or a limit does not hold.
        words: What was gained, or why nothing was.
    """

    clip: Clip | None
    words: str


def make_steady(
    character: Character,
    clip: Clip,
    options: Options,
    stiffness: float,
    tracked: tuple[str, ...],
    progress: Progress | None = None,
) -> Steadied:
    """Changes the motors' motion as little as possible so that the character does not wobble.

    Args:
        character: With parts that bend.
        clip: The artist's motion.
        options: What is wanted.
        stiffness: Factor on the stiffness of all parts that bend.
        tracked: Bodies that are to keep to their paths.
        progress: Told of every step.

    Raises:
        CharacterError: The character cannot be simulated.
        MotionError: The clip starts away from rest, is a single frame, or moves no motor.
    """
    from animato.report.steady import verdict_words  # here: only processes need all of steady
    from animato.steady import Variation, build, solve

    model = Variation(stiffness=stiffness).applied(character, tracked)
    solution = solve(build(model, clip, options, tracked=tracked), progress=progress)
    words = verdict_words(solution)
    if stiffness != 1.0:
        words += f" That is with parts {stiffness:.2g} times as stiff as the character's file says."
    gained = solution.peak_after < _LEAST_GAIN * solution.peak_before
    if not solution.outcome.usable:
        return Steadied(None, f"{words} {solution.outcome.reason.capitalize()}.")
    return Steadied(solution.clip if gained else None, words)
