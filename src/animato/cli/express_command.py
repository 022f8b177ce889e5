"""`animato express`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from tyro.conf import Positional, arg

from animato.cli.options import FITS, Base, CharacterName
from animato.cli.terminal import say
from animato.errors import AnimatoError


def express(
    character: Positional[CharacterName],
    /,
    *,
    posture: Annotated[str, arg(metavar="NAME")],
    end_point: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="(default: the only one)")] = None,
    targets: Annotated[str | None, arg(metavar="FILE", help_behavior_hint="(default: standard input)")] = None,
    udp_port: Annotated[int | None, arg(metavar="PORT", help_behavior_hint="(default: no port)")] = None,
    udp_host: str = "127.0.0.1",
    rate_hz: float = 100.0,
    target_rate_hz: Annotated[float | None, arg(metavar="HZ", help_behavior_hint="(default: RATE-HZ)")] = None,
    duration_s: Annotated[float | None, arg(metavar="S", help_behavior_hint="(default: until the input ends)")] = None,
    smoothness: float = 0.1,
    responsiveness: float = 1.0,
    fast: bool = False,
    quiet: bool = False,
    out: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: not saved)")] = None,
    report: Annotated[Path | None, arg(metavar="FILE", help_behavior_hint="(default: not saved)")] = None,
    base: Base = "auto",
) -> int:
    """Hold a posture while the end-point faces targets that come in live.

    Args:
        character: Who moves.
        posture: The expression to hold, one of the character's postures.
        end_point: What faces, where the character has several end-points.
        targets: A file of targets, one a line: 3 numbers (a point [m]), 4 (wxyz) or JSON; - is standard input.
        udp_port: Take targets from this UDP port instead.
        udp_host: Address to listen on; the default can be reached from this machine only.
        rate_hz: Commands a second.
        target_rate_hz: Lines a second of a file without times.
        duration_s: How long. Without it the loop ends when the input has ended and the joints have arrived.
        smoothness: Of the motion, 0 to 1.
        responsiveness: Of the motion, 0 to 1; at 1 a steady target is followed without lag.
        fast: As fast as it goes instead of in real time; standard input is then read like a file.
        quiet: Do not print the commands, one line of JSON each.
        out: Save the commands as a clip.
        report: Save the figures as JSON.
        base: Whether a URDF robot is held or floats.
    """
    import json

    from animato.express.loop import CommandLines, ExpressLoop, open_targets
    from animato.formats import load_character, save_motion
    from animato.formats.files import write_whole

    if out is not None and out.suffix.lower() not in (".npz", ".csv"):
        raise AnimatoError(f"Cannot save the commands as '{out}': a clip is a .npz or .csv file.")
    model = load_character(character, base=base)
    style: dict[str, Any] = {"smoothness": smoothness, "responsiveness": responsiveness}
    loop = ExpressLoop(model, posture, end_point, rate_hz=rate_hz, record=out is not None, **style)
    source = open_targets(targets, udp_port, udp_host, rate_hz=target_rate_hz or rate_hz, whole=fast)
    perform = loop.play if fast else loop.run
    try:
        with source:
            perform(None if fast or quiet else CommandLines(sys.stdout, loop.stop), seconds=duration_s, source=source)
    except KeyboardInterrupt:
        pass  # the usual way to end a live loop; what it did is still to be told
    figures = loop.report()
    if out is not None:
        save_motion(out, loop.clip(), model)
    if report is not None:
        write_whole(report, json.dumps(figures.as_json(), indent=1))
    for line in figures.lines():
        say(line)
    return FITS
