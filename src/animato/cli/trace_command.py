"""`animato trace`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

from tyro.conf import Positional, arg

from animato.cli.line import DOES_NOT_FIT, FITS, Base, CharacterName, OutFile, check_suffix, flags, say, unset, working
from animato.cli.live import LiveTo, ServoMap, Yes
from animato.trace import Options, StrokeReading

if TYPE_CHECKING:
    TraceFlags = Options

    class StrokeFlags(Protocol):
        """How to read a stroke, as said on the command line."""

        def stated(self) -> StrokeReading:
            """What was said."""
else:
    TraceFlags = flags(Options, start="POSTURE", alpha="WEIGHT", pull="WEIGHT")
    StrokeFlags = flags(StrokeReading, plane="PLANE", accents="PART", bones="POINT BONE", anchor="POINT")
AS_USUAL: Options = unset(TraceFlags)
AS_DRAWN: StrokeFlags = unset(StrokeFlags)


def trace(
    stroke: Positional[Annotated[str, arg(metavar="STROKE")]],
    /,
    *,
    robot: CharacterName,
    tracing: TraceFlags = AS_USUAL,
    reading: StrokeFlags = AS_DRAWN,
    out: Annotated[Path, arg(metavar="FILE", aliases=["-o"])] = Path("traced.npz"),
    page: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: beside the clip)")] = None,
    json: OutFile = None,
    live: bool = False,
    to: LiveTo = (),
    servos: ServoMap = None,
    yes: Yes = False,
    delay_s: float = 0.3,
    longest_lag_s: float = 0.6,
    quiet: bool = False,
    base: Base = "auto",
) -> int:
    """Let the robot perform what was drawn: same line, same timing, within all limits.

    Args:
        stroke: A .json, .csv, .svg, .bvh, .trc or .npz file, or a shipped stroke's name such as hello.
        robot: Who performs it.
        tracing: What is wanted.
        reading: How to read the stroke.
        out: The clip to write, .npz or .csv.
        page: The page to write.
        json: Also write the result for machines.
        live: Follow while it is drawn: STROKE is - (standard input), udp://HOST:PORT, a named pipe, or a stroke that is
            played as it was drawn. A sample is a line of JSON, x, y, z or u, v [m], with t [s] and pen where wanted.
        to: Live: send each command as a datagram of JSON (udp://HOST:PORT), or move real servos: the ports of the servo
            map (servos), no port at all (dry), another port, or one for a bus by its name.
        servos: A servo map in a file of its own.
        yes: Live: do not ask before the torque of servos goes on.
        delay_s: Live: how far behind the hand the robot aims to be.
        longest_lag_s: Live: how much later than that it may be before it leaves something out.
        quiet: Live: do not print the commands, one line of JSON each.
        base: Whether a URDF robot is held or floats.
    """
    from animato.formats import load_character, save_motion
    from animato.report.trace import save_json, trace_text
    from animato.trace import build, load_strokes, solve

    check_suffix(out, "the motion", ".npz", ".csv")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the result", ".json")
    if live:
        from animato.cli.live import LiveWishes, trace_live, with_servos

        wishes = LiveWishes(to, delay_s, longest_lag_s, quiet, yes)
        character = with_servos(load_character(robot, base=base), servos)
        whole, said = trace_live(
            stroke, character, tracing, reading.stated(), wishes, out=out, page=page, json=json, ready=say
        )
        for sentence in said:
            say(sentence)
        return FITS if whole else DOES_NOT_FIT
    with working("reading") as progress:
        character = load_character(robot, base=base)
        sketch = load_strokes(stroke, character, start=tracing.start, **reading.stated())
        solution = solve(build(character, sketch, tracing, name=Path(stroke).stem), progress=progress)
        save_motion(out, solution.clip, character)
        progress.stage("writing the page")
        where = solution.save_page(page or out.with_suffix(".html"))
        if json is not None:
            save_json(json, solution)
    for sentence in (*trace_text(solution), f"The clip: {out}", f"The page: {where}"):
        say(sentence)
    return FITS if solution.outcome.usable else DOES_NOT_FIT
