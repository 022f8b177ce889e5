"""`animato trace`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import OmitArgPrefixes, Positional, arg

from animato.cli.options import DOES_NOT_FIT, FITS, Base, CharacterName, OutFile
from animato.cli.terminal import console, say
from animato.errors import AnimatoError


@dataclass(frozen=True)
class StrokeOptions:
    """How to read a stroke, and where to put it.

    Attributes:
        point: Which point of the robot follows, where the file does not say.
        plane: Where a flat stroke goes, such as "xz at 0.5,0,0.6 scale 2 turn 30 mirror"; "fitted" finds a place.
        size_m: Largest width or height of a flat stroke that is fitted.
        law: Of the times of a drawing that has none: slower in bends, or constant.
        drawn_in_s: How long the drawing took, where it does not say or shall be otherwise.
        accents: Parts whose timing counts more, such as 0.4-0.5x8.
        bones: Of a capture: which bone or marker each point follows.
        anchor: Of a capture: the point that stays where the start posture has it, however the person steps about.
        scale: Of a capture: on top of what fits it to the start posture.
        first_frame: Of a BVH file: frames to leave out at the start, such as a T-pose.
        metres_per_unit: Unit of a drawing or a capture.
        smooth_hz: Take out what shakes faster; where not given noisy strokes are smoothed, with 0 none is.
    """

    point: Annotated[str | None, arg(metavar="NAME")] = None
    plane: Annotated[str | None, arg(metavar="PLANE")] = None
    size_m: Annotated[float | None, arg(metavar="M")] = None
    law: Literal["curvature", "constant"] = "curvature"
    drawn_in_s: Annotated[float | None, arg(metavar="S")] = None
    accents: Annotated[tuple[str, ...], arg(metavar="PART")] = ()
    bones: Annotated[dict[str, str], arg(metavar="POINT BONE")] = field(default_factory=dict)
    anchor: Annotated[str | None, arg(metavar="POINT")] = None
    scale: float = 1.0
    first_frame: Annotated[int | None, arg(metavar="N")] = None
    metres_per_unit: Annotated[float | None, arg(metavar="M")] = None
    smooth_hz: Annotated[float | None, arg(metavar="HZ")] = None

    def stated(self) -> dict[str, Any]:
        """What was said on the command line."""
        return {name: value for name, value in vars(self).items() if value is not None and value not in ({}, ())}


AS_DRAWN = StrokeOptions()
"""Take strokes at their word."""


def trace(
    stroke: Positional[Annotated[str, arg(metavar="STROKE")]],
    /,
    *,
    robot: CharacterName,
    start: Annotated[str | None, arg(metavar="POSTURE")] = None,
    alpha: Annotated[float | None, arg(metavar="WEIGHT")] = None,
    beta: float = 1.0,
    gamma: float = 0.1,
    absolute: bool = False,
    tempo_lock: bool = True,
    duration_s: Annotated[float | None, arg(metavar="S")] = None,
    jerk: bool = False,
    segments: int = 500,
    rate_hz: float = 250.0,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("traced.npz"),
    page: OutFile = None,
    base: Base = "auto",
    how: Annotated[StrokeOptions, OmitArgPrefixes] = AS_DRAWN,
) -> int:
    """Let the robot perform what was drawn: same line, same timing, within all limits.

    Args:
        stroke: A .json, .csv, .svg, .bvh, .trc or .npz file, or a shipped stroke's name such as hello.
        robot: Who performs it.
        start: A posture of the robot near which the motion is sought.
        alpha: Smoothness of the path; more is rounder and faster.
        beta: How much the timing counts.
        gamma: How much haste counts.
        absolute: Every moment counts, not the rhythm alone.
        tempo_lock: Never faster than drawn.
        duration_s: How long it shall take.
        jerk: Hold the limits of jerk, too.
        segments: Of the timing.
        rate_hz: Frames of the clip a second.
        out: The clip to write, .npz or .csv.
        page: The page to write; beside the clip where not given.
        base: Whether a URDF robot is held or floats.
        how: How to read the stroke.
    """
    from animato.formats import load_character, save_motion
    from animato.report.trace import save_trace_page, trace_text
    from animato.trace import trace_strokes
    from animato.trace.sketch import load_sketch

    if out.suffix.lower() not in (".npz", ".csv"):
        raise AnimatoError(f"Cannot save the motion as '{out}': a clip is a .npz or .csv file.")
    wishes: dict[str, Any] = {"alpha": alpha, "beta": beta, "gamma": gamma, "tempo_lock": tempo_lock}
    wishes |= {"timing": "absolute" if absolute else "relative", "duration_s": duration_s, "jerk": jerk}
    with console().status("reading") as status:
        model = load_character(robot, base=base)
        sketch = load_sketch(stroke, model, start=start, **how.stated())
        status.update("tracing")
        name = Path(stroke).stem
        traced = trace_strokes(model, sketch, start=start, segments=segments, rate_hz=rate_hz, name=name, **wishes)
        save_motion(out, traced.clip, model)
        status.update("writing the page")
        where = save_trace_page(page or out.with_suffix(".html"), traced)
    for sentence in trace_text(traced):
        say(sentence)
    say(f"The clip: {out}")
    say(f"The page: {where}")
    return DOES_NOT_FIT if traced.path_fit.out_of_reach else FITS
