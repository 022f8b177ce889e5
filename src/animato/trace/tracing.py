"""From strokes to a motion that the robot can perform: the two stages after one another.

After Luo and Hauser: Interactive Generation of Dynamically Feasible Robot Trajectories from Sketches Using Temporal
Mimicking (2012). First where the joints go, then when; the second stage keeps the path of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from animato.character import Character
from animato.motion import Posture, Stroke
from animato.trace.path import PathFit, build_path_problem, solve_path
from animato.trace.sketch import DrawnTiming, Sketch, build_sketch
from animato.trace.solution import Traced, TraceOptions
from animato.trace.timing import TimingOptions, settled_clip, solve_time_scaling


def trace_strokes(
    character: Character,
    sketch: Sketch | Mapping[str, Stroke],
    *,
    alpha: float | None = None,
    beta: float = 1.0,
    gamma: float = 0.1,
    timing: str = "relative",
    tempo_lock: bool = True,
    duration_s: float | None = None,
    segments: int = 500,
    rate_hz: float = 250.0,
    torque: bool = True,
    jerk: bool = False,
    start: Posture | str | None = None,
    certificate: bool = True,
    path_options: Mapping[str, Any] | None = None,
    name: str = "",
) -> Traced:
    """Lets a robot perform what was drawn: as near to the drawing, in place and in time, as its limits allow.

    Args:
        character: The robot.
        sketch: What its points shall follow, in the world; or strokes in space by point.
        alpha: Weight of the smoothness of the path; None lets it follow from the detail of the drawing.
        beta: Weight of the timing error [1/s^2].
        gamma: Weight of the duration [1/s].
        timing: "relative": the rhythm counts and the tempo is free; "absolute": every moment counts.
        tempo_lock: Never faster than drawn.
        duration_s: Wanted duration [s].
        segments: Of the time scaling, about.
        rate_hz: Frames of the clip a second.
        torque: Whether torque limits hold.
        jerk: Whether limits of jerk hold as well; the motion is then slower where accelerations change.
        start: Posture, or name of one, near which the path is sought first.
        certificate: Whether a lower bound of the objective is computed, which says how good the answer is.
        path_options: More for `build_path_problem`.
        name: Of the stroke, for people.

    Raises:
        AnimatoError: A point that does not exist, options out of range, limits that gravity alone exceeds.
    """
    options = TraceOptions(alpha, beta, gamma, timing, tempo_lock, duration_s, segments, rate_hz, torque, jerk)
    drawing = sketch if isinstance(sketch, Sketch) else build_sketch(sketch)
    problem = build_path_problem(character, drawing, alpha=alpha, start=start, **(path_options or {}))
    fit = solve_path(problem)
    return _timed(character, drawing, fit, options, certificate, name)


def retimed(traced: Traced, **changes: Any) -> Traced:
    """The same path with another timing.

    Args:
        traced: What was traced.
        **changes: `beta`, `gamma`, `timing`, `tempo_lock`, `duration_s`, `segments`, `rate_hz`, `torque`
            or `jerk`.
    """
    from dataclasses import replace

    return _timed(
        traced.character, traced.sketch, traced.path_fit, replace(traced.options, **changes), True, traced.name
    )


def _timed(
    character: Character, sketch: Sketch, fit: PathFit, options: TraceOptions, certificate: bool, name: str
) -> Traced:
    wishes = TimingOptions(
        beta=options.beta,
        gamma=options.gamma,
        relative=options.timing == "relative",
        tempo_lock=options.tempo_lock,
        duration=options.duration_s,
        segments=options.segments,
        torque=options.torque,
        certificate=certificate,
    )
    scaling = solve_time_scaling(character, fit.path, DrawnTiming.from_sketch(sketch), wishes)
    words = f"{name or sketch.source or 'a stroke'}, traced by {character.name}"
    settled = settled_clip(
        character, fit.path, scaling, options.rate_hz, jerk=options.jerk, torque=options.torque, source=words
    )
    return Traced(character, sketch, fit, scaling, settled, options, name or "the stroke")
