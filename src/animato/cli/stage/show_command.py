"""`animato show`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from animato.cli.line import DOES_NOT_FIT, FITS, Base, OutFile, as_flags, check_suffix, say
from animato.cli.live import ServoMap, Yes, asked_for_torque
from animato.cli.stage.map_beside import refuse_unread_map
from animato.cli.stage.play_command import AS_USUAL, PlayFlags, To
from animato.errors import OptionError
from animato.stage.playing import Options

if TYPE_CHECKING:
    from animato.character import Character
    from animato.stage.playing import Plan
    from animato.stage.shows import Score

ShowFile = Annotated[str, arg(metavar="SHOW.yaml")]
Performer = Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="(default: that of the show file)")]


def show(
    show: Positional[ShowFile],
    /,
    *,
    robot: Performer = None,
    to: To = ("servos",),
    servos: ServoMap = None,
    check: Annotated[bool, arg(help_behavior_hint="")] = False,
    playing: PlayFlags = AS_USUAL,
    yes: Yes = False,
    json: OutFile = None,
    base: Base = "auto",
) -> int:
    """Perform a show on real servos: clips, waits, sound, light, cues in and out, led by a clock.

    All of it is worked out and held against the limits before anything moves. Exit status 1 where it was stopped by a
    fault or by hand, or where the check finds too much.

    Args:
        show: The show file.
        robot: Who performs it, with a servo map.
        to: The ports of the servo map (servos), no port at all (dry), another port, or one for a bus by its name.
        servos: A servo map in a file of its own.
        check: Only go through it in the computer, and print when everything happens.
        playing: What is wanted of the playing.
        yes: Do not ask before the torque goes on.
        json: Also write the figures for machines.
        base: Whether a URDF robot is held or floats.
    """
    import json as json_text

    from animato.formats import load_character
    from animato.formats.files import write_whole
    from animato.stage.shows import compose, perform, rehearse

    check_suffix(json, "the figures", ".json")
    if playing.loops != Options().loops:
        raise OptionError(
            f"`loops` is for playing a single clip; given {playing.loops}. A show says itself how often a clip is "
            f"played: write 'loops' into that step of its timeline."
        )
    model: Character | None = None if robot is None else load_character(robot, base=base)
    wanted = Options(**{one.name: getattr(playing, one.name) for one in fields(Options)})
    if check:
        rehearsal = rehearse(compose(show, model, wanted, to="dry", servos=servos), wanted)
        for line in (*rehearsal.score.notes, *rehearsal.lines()):
            say(as_flags(line))
        if json is not None:
            write_whole(json, json_text.dumps(rehearsal.as_json(), indent=1) + "\n")
        return FITS if rehearsal.outcome.usable else DOES_NOT_FIT
    dry = tuple(to) == ("dry",)
    if not dry and robot is not None and model is not None:  # a dry run pretends
        refuse_unread_map(robot, model, servos)

    def confirm(score: Score, plan: Plan) -> bool:
        for line in (*score.lines(), *plan.lines()[:-1]):
            say(line)
        return yes or dry or asked_for_torque()

    result = perform(
        show, model, to, wanted, servos=servos, confirm=confirm, say=lambda one: say(as_flags(one)), record=dry
    )
    for line in (*result.performance.lines(), *result.performance.told_lines()):
        say(line)
    if json is not None:
        write_whole(json, json_text.dumps(result.performance.as_json(), indent=1) + "\n")
    return FITS if result.outcome.usable else DOES_NOT_FIT
