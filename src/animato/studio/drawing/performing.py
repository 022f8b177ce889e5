"""What the robot makes of a drawing; runs in the workshop."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character, Joint, JointType
from animato.errors import AnimatoError
from animato.mechanics.limits import END_REACH, SHARE_TOLERANCE, limit_usage
from animato.mechanics.tree import build_point_kinematics
from animato.motion import Clip, Posture
from animato.outcome import Progress
from animato.studio.drawing.lines import Drawn, sketch_of
from animato.studio.drawing.standing import as_traced
from animato.studio.drawing.starting import usual_start
from animato.trace import Options, Solution, build, solve
from animato.trace.sketch import Sketch, with_body_points


@dataclass(frozen=True, eq=False)
class Performed:
    """A drawing as the robot performs it.

    Attributes:
        clip: What it does; None where nothing can be performed.
        words: What became of it, in a sentence.
        good: Whether it is all that was drawn.
        off_m: Mean distance from the lines [m].
        late_s: Root mean square of the distance from the rhythm [s].
        seconds: It took [s].
        jerky: Whether a limit of jerk does not hold yet.
    """

    clip: Clip | None
    words: str
    good: bool
    off_m: float = 0.0
    late_s: float = 0.0
    seconds: float = 0.0
    jerky: bool = False

    def for_page(self) -> dict[str, Any]:
        """At a glance."""
        return {
            "words": self.words,
            "good": self.good,
            "solve_ms": round(1000.0 * self.seconds, 1),
            "off_mm": round(1000.0 * self.off_m, 2),
            "late_ms": round(1000.0 * self.late_s, 1),
            "begin": 0.0 if self.clip is None else float(self.clip.times[0]),
        }


def performed(character: Character, drawn: Drawn, start: Posture | None) -> Performed:
    """Lets a robot perform a drawing, quickly: inside all limits but those of jerk, which are looked at.

    Where part of it is out of reach, the robot goes as near as it can inside all limits, and that is said.

    Args:
        character: The robot.
        drawn: The drawing.
        start: The posture near which the motion is sought; the most free one where not given.
    """
    return _performed(character, drawn, start, drawn.wishes.options(), None)


def smoothed(character: Character, drawn: Drawn, start: Posture | None, *, progress: Progress) -> Performed:
    """The same inside limits of jerk, too; takes some seconds.

    Args:
        character: The robot.
        drawn: The drawing.
        start: See `performed`.
        progress: Told of every step.
    """
    return _performed(character, drawn, start, drawn.wishes.options(jerk=True), progress)


def traced(
    character: Character,
    drawn: Drawn,
    start: Posture | None,
    options: Options,
    name: str = "the drawing",
    progress: Progress | None = None,
) -> Solution:
    """What `trace` finds for a drawing.

    Args:
        character: The robot.
        drawn: The drawing.
        start: See `performed`.
        options: What is wanted.
        name: What people call the drawing.
        progress: Told of every step.

    Raises:
        AnimatoError: It cannot be asked for.
    """
    sketch = sketch_of(as_traced(character, drawn))
    robot = with_body_points(character, sketch.points)
    posture = usual_start(robot, sketch.points, some_places(sketch)) if start is None else start
    return solve(build(robot, sketch, options, posture=posture, name=name), progress=progress)


def _performed(
    character: Character, drawn: Drawn, start: Posture | None, options: Options, progress: Progress | None
) -> Performed:
    begin = time.perf_counter()
    try:
        solution = traced(character, drawn, start, options, progress=progress)
    except AnimatoError as error:
        return Performed(None, str(error), False, seconds=time.perf_counter() - begin)
    good = solution.outcome.usable
    if not good and not _keeps_limits(solution):
        return Performed(None, solution.outcome.reason, False, seconds=time.perf_counter() - begin)
    off, late = float(solution.deviations.mean()), float(solution.timing_error)
    return Performed(
        solution.clip,
        solution.outcome.reason if not good else _said(solution, off, late),
        good,
        off,
        late,
        time.perf_counter() - begin,
        _is_jerky(character, solution.clip),
    )


def some_places(sketch: Sketch) -> np.ndarray:
    """A few places along a sketch [m], [place, point, 3]."""
    return sketch.x_of_s(np.linspace(0.0, 1.0, 5))


def warm(character: Character, point: str) -> None:
    """Loads all that a performance needs, by one of a small drawing; what goes wrong is told when one draws."""
    try:
        robot = with_body_points(character, [point])
        kinematics = build_point_kinematics(robot, [point])
        reach = 0.05 * float(np.sqrt(np.sum(kinematics.jacobians(kinematics.start[None])[1] ** 2)))
        turn = np.linspace(0.0, 2.0 * np.pi, 60)
        q = kinematics.start + 0.02 * np.outer(np.sin(turn), np.ones(len(kinematics.start)))
        places = kinematics.places(q) + reach * 1e-3 * np.sin(2.0 * turn)[:, None, None]
        sketch = Sketch((point,), places, np.linspace(0.0, 1.0, 60))
        usual_start(robot, [point], some_places(sketch))
        solve(build(robot, sketch, Options(certificate=False))).deviations.mean()
    except AnimatoError:
        return


def _keeps_limits(solution: Solution) -> bool:
    """Whether it is out of reach alone, with every limit kept."""
    shares = {**solution.scaling.worst_shares, **solution.settled.peaks, "position": solution.settled.position}
    return bool(solution.path_fit.out_of_reach) and max(shares.values()) <= 1.0 + SHARE_TOLERANCE


def _is_jerky(character: Character, clip: Clip) -> bool:
    """Whether a clip is beyond a limit of jerk.

    Where the clip's own spline tells, it takes half a millisecond in the place of a check's 17, and whoever moves a
    slider waits for it. The jerk of a spline is one number between two frames; what a check looks at beyond that is
    whether other ends of the clip would be calmer.
    """
    limited = {
        name: limits.jerk
        for joint in character.joints
        for name, limits in zip(_limited_names(joint), joint.limits, strict=True)
        if limits.jerk is not None
    }
    if not limited:
        return False
    if all(name in clip.names for name in limited):
        most = np.array([limited.get(name, np.inf) for name in clip.names]) * (1.0 + SHARE_TOLERANCE)
        beyond = np.any(np.abs(clip.jerk(0.5 * (clip.times[1:] + clip.times[:-1]))) > most, axis=1)
        if not beyond.any() or beyond[END_REACH:-END_REACH].any():
            return bool(beyond.any())
    shares = limit_usage(character, clip).shares["jerk"]
    return bool(np.max(np.where(np.isnan(shares), 0.0, shares), initial=0.0) > 1.0 + SHARE_TOLERANCE)


def _limited_names(joint: Joint) -> tuple[str, ...]:
    """What each limit of a joint is of: a coordinate, or the whole joint where it turns like a ball."""
    return (joint.name,) * len(joint.limits) if joint.type is JointType.SPHERICAL else joint.coordinate_names


def _said(solution: Solution, off: float, late: float) -> str:
    took, drawn = solution.clip.duration, solution.problem.drawn.duration
    return (
        f"Drawn in {drawn:.1f} s, performed in {took:.1f} s: {1000.0 * off:.1f} mm off the line and "
        f"{1000.0 * late:.0f} ms off the rhythm on average."
    )
