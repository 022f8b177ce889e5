"""`animato express`."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.line import (
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    OutFile,
    as_flags,
    check_suffix,
    flags,
    say,
    unset,
    working,
)
from animato.cli.live import LiveTo, ServoMap, Yes, live_stage, with_servos
from animato.errors import OptionError
from animato.express.options import Options

if TYPE_CHECKING:
    from animato.character import Character
    from animato.express import Loop, Problem
    from animato.express.loop import TargetSource

    ExpressFlags = Options
else:
    ExpressFlags = flags(
        Options,
        smoothness="X",
        responsiveness="X",
        softness="X",
        haste="X",
        overshoot="X",
        forward="AXIS",
        up="AXIS",
        top_speed_rad_s="RAD/S",
        top_acceleration_rad_s2="RAD/S2",
    )
AS_USUAL: Options = unset(ExpressFlags)


def express(
    character: Positional[CharacterName],
    /,
    *,
    posture: Annotated[str | None, arg(metavar="NAME|FILE", help_behavior_hint="")] = None,
    clip: Annotated[str | None, arg(metavar="CLIP", help_behavior_hint="(default: the posture stands)")] = None,
    bones: Annotated[tuple[str, ...], arg(metavar="BONE", help_behavior_hint="")] = (),
    repeat: bool = False,
    targets: Annotated[str | None, arg(metavar="FILE", help_behavior_hint="(default: standard input)")] = None,
    udp: Annotated[str | None, arg(metavar="[HOST:]PORT", help_behavior_hint="(default: no port)")] = None,
    out_udp: Annotated[str | None, arg(metavar="HOST:PORT", help_behavior_hint="(default: not sent)")] = None,
    to: LiveTo = (),
    servos: ServoMap = None,
    yes: Yes = False,
    view: bool = False,
    fast: bool = False,
    quiet: bool = False,
    out: OutFile = None,
    page: OutFile = None,
    json: OutFile = None,
    facing: ExpressFlags = AS_USUAL,
    base: Base = "auto",
) -> int:
    """Hold a posture, or perform a clip, while the end-point faces targets that come in live.

    The loop ends when the input has ended and the joints have arrived, or after --duration-s. A motion that is kept
    (--fast, --out, --page) is judged: exit status 1 where it breaks a limit or misses its last target, and where
    commands were lost.

    Args:
        character: Who moves.
        posture: The expression to hold: one of the character's postures, neutral, or a moment of a motion, FILE or
            FILE@SECONDS.
        clip: A motion that runs underneath; joints that it does not name keep the posture.
        bones: Of a captured skeleton that is the clip: the first and the last that bend as the chain is to; from the
            root to the head where not given.
        repeat: Begin the clip anew whenever it has ended.
        targets: A file of targets, one a line: 3 numbers (a point [m]), 4 (wxyz) or JSON; - is standard input.
        udp: Take targets from this UDP port instead; without an address this machine alone can reach it.
        out_udp: Send each command as a datagram of JSON.
        to: Also move real servos: the ports of the servo map (servos), no port at all (dry), another port, or one for a
            bus by its name.
        servos: A servo map in a file of its own.
        yes: Do not ask before the torque of servos goes on.
        view: Show the character live in the browser.
        fast: As fast as it goes instead of in real time; standard input is then read like a file.
        quiet: Do not print the commands, one line of JSON each.
        out: Save the commands as a clip.
        page: Write a page that shows the motion and how well it faces.
        json: Save the figures for machines.
        facing: How to hold and face.
        base: Whether a URDF robot is held or floats.
    """
    import json as json_text

    from animato.express import Loop, judged, perform
    from animato.express.loop import FileTargets, open_targets
    from animato.formats import load_character, save_motion
    from animato.formats.files import write_whole

    check_suffix(out, "the commands", ".npz", ".csv")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the figures", ".json")
    host, port = _place(udp, "udp", "127.0.0.1")
    if to and fast:
        raise OptionError("Servos live in real time; leave `fast` or `to` out.")
    model = with_servos(load_character(character, base=base), servos)
    kept = fast or out is not None or page is not None
    problem = _problem(model, posture, clip, bones, facing)
    loop = Loop(problem, record=kept, repeat=repeat and not fast)
    rate_hz = facing.target_rate_hz or facing.rate_hz
    until_s = facing.duration_s if fast else None
    source = open_targets(targets, port, host, rate_hz=rate_hz, whole=fast, until_s=until_s)
    begin, solution = time.perf_counter(), None
    try:
        with source:
            if fast and isinstance(source, FileTargets):
                with working("facing") as progress:
                    solution = perform(loop, source, progress=progress)
            else:
                _run(loop, source, facing.duration_s, quiet=quiet, out_udp=out_udp, view=view, to=to, yes=yes)
    except KeyboardInterrupt:
        pass  # the usual way to end a live loop; what it did is still to be told
    figures = loop.report()
    if kept and solution is None:
        solution = judged(loop, time.perf_counter() - begin, whole=False)
    if out is not None and solution is not None:
        save_motion(out, solution.clip, problem.character)
    if page is not None and solution is not None:
        solution.save_page(page)
    if json is not None:
        outcome = {} if solution is None else {"outcome": str(solution.outcome), "usable": solution.outcome.usable}
        write_whole(json, json_text.dumps({**outcome, **figures.as_json()}, indent=1))
    for line in figures.lines():
        say(line)
    if solution is None or figures.lost:
        return DOES_NOT_FIT if figures.lost else FITS
    say(as_flags(str(solution.outcome)))
    return FITS if solution.outcome.usable else DOES_NOT_FIT


def _problem(
    model: Character, posture: str | None, clip: str | None, bones: tuple[str, ...], options: Options
) -> Problem:
    """What the options say is to be held."""
    from animato.express import build
    from animato.express.postures import MotionFrame, clip_of_motion
    from animato.formats import load_motion
    from animato.motion import Clip

    if clip is None:
        if posture is None:
            names = ", ".join([*(one.name for one in model.postures), "neutral"])
            raise OptionError(f"Say what to hold: a `posture` ('{model.name}' has {names}), or a `clip` to perform.")
        return build(model, posture, options=options)
    motion = load_motion(clip)
    start = posture or MotionFrame(motion, bones=bones)
    if isinstance(motion, Clip):
        return build(model, start, options=options, clip=motion)
    chains = build(model, start, options=options).chains
    performed = clip_of_motion(model, chains[0] if chains else None, motion, bones)
    return build(model, posture or performed, options=options, clip=performed)


def _run(
    loop: Loop,
    source: TargetSource,
    seconds: float | None,
    *,
    quiet: bool,
    out_udp: str | None,
    view: bool,
    to: tuple[str, ...],
    yes: bool,
) -> None:
    """Runs in real time, and gives commands to all who want them."""
    from animato.express.loop import CommandLines, CommandSink, CommandSinks, UdpCommands

    sinks: list[CommandSink] = []
    host, port = _place(out_udp, "out_udp", None)
    with contextlib.ExitStack() as opened:
        if port is not None:
            sinks.append(opened.enter_context(UdpCommands(host, port)))
        if view:
            from animato.view.browser import LiveView

            shown = opened.enter_context(LiveView(loop, source=source, open_browser=True))
            source = shown.source
            sinks.append(shown)
        if not quiet:
            sinks.append(opened.enter_context(CommandLines(sys.stdout, loop.stop)))
        if to:
            posture = loop.posture
            start = dict(zip(posture.names, posture.positions.tolist(), strict=True))
            stage = live_stage(loop.problem.character, start, loop.rate_hz, to, yes=yes, ended=loop.stop)
            sinks.append(opened.enter_context(stage))
        loop.run(CommandSinks(*sinks), seconds=seconds, source=source)


def _place(text: str | None, option: str, host: str | None) -> tuple[str, int | None]:
    """Host and port of HOST:PORT, or of PORT alone where there is a usual host; no port where nothing is said."""
    if text is None:
        return host or "", None
    name, _, port = text.rpartition(":")
    name = name.removeprefix("[").removesuffix("]") or host or ""
    if not name or not port.isdecimal() or int(port) > 65535:
        how = "HOST:PORT" if host is None else "PORT or HOST:PORT"
        raise OptionError(f"`{option}` must be {how} with a port up to 65535, not {text!r:.80}.")
    return name, int(port)
