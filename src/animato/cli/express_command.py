"""`animato express`."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.flags import as_flags, flags, unset
from animato.cli.options import DOES_NOT_FIT, FITS, Base, CharacterName, OutFile, check_suffix
from animato.cli.terminal import say, working
from animato.express.options import Options

if TYPE_CHECKING:
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
    posture: Annotated[str, arg(metavar="NAME")],
    targets: Annotated[str | None, arg(metavar="FILE", help_behavior_hint="(default: standard input)")] = None,
    udp_port: Annotated[int | None, arg(metavar="PORT", help_behavior_hint="(default: no port)")] = None,
    udp_host: str = "127.0.0.1",
    fast: bool = False,
    quiet: bool = False,
    out: OutFile = None,
    page: OutFile = None,
    json: OutFile = None,
    facing: ExpressFlags = AS_USUAL,
    base: Base = "auto",
) -> int:
    """Hold a posture while the end-point faces targets that come in live.

    The loop ends when the input has ended and the joints have arrived, or after --duration-s. A motion that is kept
    (--fast, --out, --page) is judged: exit status 1 where it breaks a limit or misses its last target.

    Args:
        character: Who moves.
        posture: The expression to hold, one of the character's postures.
        targets: A file of targets, one a line: 3 numbers (a point [m]), 4 (wxyz) or JSON; - is standard input.
        udp_port: Take targets from this UDP port instead.
        udp_host: Address to listen on; the default can be reached from this machine only.
        fast: As fast as it goes instead of in real time; standard input is then read like a file.
        quiet: Do not print the commands, one line of JSON each.
        out: Save the commands as a clip.
        page: Write a page that shows the motion and how well it faces.
        json: Save the figures for machines.
        facing: How to hold and face.
        base: Whether a URDF robot is held or floats.
    """
    import json as json_text

    from animato.express import Loop, build, judged, perform
    from animato.express.loop import CommandLines, FileTargets, open_targets
    from animato.formats import load_character, save_motion
    from animato.formats.files import write_whole

    check_suffix(out, "the commands", ".npz", ".csv")
    check_suffix(page, "the page", ".html", ".htm")
    check_suffix(json, "the figures", ".json")
    model = load_character(character, base=base)
    kept = fast or out is not None or page is not None
    loop = Loop(build(model, posture, options=facing), record=kept)
    rate_hz = facing.target_rate_hz or facing.rate_hz
    until_s = facing.duration_s if fast else None
    source = open_targets(targets, udp_port, udp_host, rate_hz=rate_hz, whole=fast, until_s=until_s)
    begin, solution = time.perf_counter(), None
    try:
        with source:
            if fast and isinstance(source, FileTargets):
                with working("facing") as progress:
                    solution = perform(loop, source, progress=progress)
            else:
                with contextlib.nullcontext() if quiet else CommandLines(sys.stdout, loop.stop) as commands:
                    loop.run(commands, seconds=facing.duration_s, source=source)
    except KeyboardInterrupt:
        pass  # the usual way to end a live loop; what it did is still to be told
    figures = loop.report()
    if kept and solution is None:
        solution = judged(loop, time.perf_counter() - begin, whole=False)
    if out is not None and solution is not None:
        save_motion(out, solution.clip, model)
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
