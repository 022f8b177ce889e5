"""The work itself, as processes do it: a motion that can be performed, and motions joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from animato.character import Character
from animato.findings import distance, seconds
from animato.motion import Clip
from animato.outcome import Progress

if TYPE_CHECKING:
    from animato.fix import Options, Solution


@dataclass(frozen=True, eq=False)
class Made:
    """What came out.

    Attributes:
        clip: That can be performed; None where there is none.
        words: What was changed, or why there is none and what would help.
    """

    clip: Clip | None
    words: str


def make_performable(character: Character, clip: Clip, options: Options, progress: Progress | None = None) -> Made:
    """The smallest visible change after which every limit holds.

    Args:
        character: Who performs.
        clip: What the artist wants.
        options: What is wanted of it.
        progress: Told of every step.
    """
    from animato.fix import build, obstacles_of, solve  # here: only processes need all of fix

    solution = solve(build(character, clip, options), progress=progress)
    if not solution.outcome.usable:
        obstacles = obstacles_of(solution.problem, solution.clip, solution.pace)
        advice = [one.advice for one in obstacles if one.advice]
        return Made(None, " ".join([solution.outcome.reason, *advice[:2]]))
    return Made(solution.clip, _changes(solution))


def make_joined(
    character: Character, clips: tuple[Clip, ...], gap_s: float | None, progress: Progress | None = None
) -> Made:
    """Clips one after the other, with transitions inside every limit.

    Args:
        character: Who performs.
        clips: In order.
        gap_s: How long each transition takes [s]; as long as is natural where not given.
        progress: Told of every step.
    """
    from animato.fix.joining import join

    result = join(character, clips, gap_s=gap_s, progress=progress)
    return Made(result.clip, " ".join(result.notes))


def _changes(solution: Solution) -> str:
    if not solution.changed:
        return solution.outcome.reason
    far, name, when = solution.deviation.largest
    words = [solution.outcome.reason]
    if name:
        where = f"{name.replace('_', ' ')} at {seconds(when)}"
        words.append(f"It differs by {distance(far, angular=False)} at most ({where}).")
    asked, taken = solution.problem.clip.duration, solution.clip.duration
    if abs(taken - asked) > 0.5 * asked / solution.problem.clip.frame_count:
        words.append(f"It takes {seconds(taken)} in place of {seconds(asked)}.")
    return " ".join(words)
