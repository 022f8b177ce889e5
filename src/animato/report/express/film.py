"""What a solution of express looks like: the motion, the posture it holds, and what it faces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Character, EndPoint
from animato.express import Solution, Target
from animato.motion import Clip
from animato.report.kit import DIRECTION, NOTHING, POINT, Figure, Film, Gaze, Readout, Use, use_of
from animato.spatial import quaternions


def film_of(solution: Solution) -> Film:
    """The film of a solution."""
    end_point = watched(solution)
    targets = [one.get(end_point.name) for one in solution.faced]
    return facing_film(
        solution.problem.character,
        solution.clip,
        solution.held,
        end_point,
        targets,
        solution.errors_rad,
        use=use_of(solution.problem.character, solution.usage),
    )


def facing_film(
    character: Character,
    clip: Clip,
    held: Clip | None,
    end_point: EndPoint,
    targets: Sequence[Target | None],
    errors_rad: np.ndarray,
    words: tuple[tuple[float, str], ...] = (),
    *,
    use: Use | None = None,
) -> Film:
    """The film of a character that faces.

    Args:
        character: Who faces.
        clip: How it moves.
        held: The postures that it holds meanwhile, shown translucent; None shows nothing.
        end_point: With what it faces.
        targets: Of each frame; an orientation is shown as the way that it looks.
        errors_rad: Angle by which it was off [rad], [frame].
        words: What to say from a time [s] on.
        use: What it uses of its limits, which it can be coloured by.
    """
    figures = [Figure(character, clip, use=use)]
    if held is not None:
        figures.append(Figure(character, held, name="the posture it holds", ghost=True))
    faced = np.array([target is not None for target in targets])
    off = Readout(clip.times, np.where(faced, np.degrees(errors_rad), np.nan), after="° off")
    gaze = _gaze(character, clip, end_point, targets)
    return Film(tuple(figures), (gaze, off), words, f"{character.name} while it faces")


def watched(solution: Solution) -> EndPoint:
    """The most important end-point that ever had something to face; the errors of the frames are its own then."""
    end_points, names = solution.problem.end_points, {name for one in solution.faced for name in one}
    return next((one for one in end_points if one.name in names), end_points[0])


def _gaze(character: Character, clip: Clip, end_point: EndPoint, targets: Sequence[Target | None]) -> Gaze:
    """Targets as a player shows them."""
    kinds, marks = np.full(len(targets), NOTHING), np.zeros((len(targets), 3))
    for n, target in enumerate(targets):
        if target is None:
            continue
        kinds[n] = DIRECTION if target.point is None else POINT
        if target.quaternion_wxyz is not None:
            turn = np.array(target.quaternion_wxyz)
            marks[n] = quaternions.rotate(turn, np.array(end_point.forward)).reshape(3)
        else:
            marks[n] = target.point or target.direction or ()
    return Gaze(end_point, kinds, marks, character, clip)
