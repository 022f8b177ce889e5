"""`animato play`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.line import (
    AS_STATED,
    DOES_NOT_FIT,
    FITS,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OutFile,
    as_flags,
    check_suffix,
    flags,
    is_character,
    is_motion,
    say,
    unset,
)
from animato.cli.live import ServoMap, Yes, asked_for_torque
from animato.cli.stage.map_beside import refuse_unread_map
from animato.errors import OptionError
from animato.stage.playing import Options

if TYPE_CHECKING:
    from animato.stage.playing import Plan

    PlayFlags = Options
else:
    PlayFlags = flags(
        Options,
        rest="POSTURE",
        most_temperature_c="C",
        most_current="SHARE",
        least_voltage="SHARE",
        loops="N",
        following_error_rad="RAD",
    )
AS_USUAL: Options = unset(PlayFlags)

To = Annotated[tuple[str, ...], arg(metavar="servos|dry|PORT|BUS=PORT")]


def play(
    clip: Positional[MotionName],
    /,
    *,
    robot: CharacterName,
    to: To = ("servos",),
    servos: ServoMap = None,
    playing: PlayFlags = AS_USUAL,
    yes: Yes = False,
    json: OutFile = None,
    base: Base = "auto",
    reading: HowToRead = AS_STATED,
) -> int:
    """Perform a clip on real servos: softly from where they stand, inside all limits, and to rest.

    Before the torque goes on it says which servos it found, where they stand and what will happen, and asks. Ctrl-C
    stops softly, goes to rest and takes the torque off; a second Ctrl-C holds at once. Exit status 1 where it was
    stopped, by hand or by a fault.

    Args:
        clip: What to perform.
        robot: Who performs it, with a servo map.
        to: The ports of the servo map (servos), no port at all (dry), another port, or one for a bus by its name.
        servos: A servo map in a file of its own.
        playing: What is wanted.
        yes: Do not ask before the torque goes on.
        json: Also write the figures for machines.
        base: Whether a URDF robot is held or floats.
        reading: How to read the motion.
    """
    import json as json_text

    from animato.formats import load_character
    from animato.formats.files import write_whole
    from animato.loading import load_clip_and_losses
    from animato.stage.playing import play as performed

    check_suffix(json, "the figures", ".json")
    if is_character(clip) and is_motion(robot):
        raise OptionError(
            f"'{clip}' is a character and '{robot}' a motion. Did you mean: animato play {robot} --robot {clip}?"
        )
    model = load_character(robot, base=base)
    motion, losses = load_clip_and_losses(clip, model, **reading.stated())
    for loss in losses:
        say(f"Note: {as_flags(loss)}")
    wanted = Options(**{one.name: getattr(playing, one.name) for one in fields(Options)})
    dry = tuple(to) == ("dry",)
    if not dry:  # a dry run pretends
        refuse_unread_map(robot, model, servos)

    def confirm(plan: Plan) -> bool:
        for line in plan.lines():
            say(line)
        return yes or dry or asked_for_torque()

    performance = performed(
        model, motion, to, wanted, servos=servos, confirm=confirm, say=lambda one: say(as_flags(one)), record=dry
    )
    for line in (*performance.lines(), *performance.told_lines()):
        say(line)
    if json is not None:
        write_whole(json, json_text.dumps(performance.as_json(), indent=1) + "\n")
    return FITS if performance.outcome.usable else DOES_NOT_FIT
