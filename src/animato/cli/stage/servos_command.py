"""`animato servos`."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from tyro.conf import Positional, arg

from animato.cli.line import DOES_NOT_FIT, FITS, Base, as_flags, console, say
from animato.cli.live import ServoMap, Yes, asked_for_torque, with_servos
from animato.cli.stage.asking import KEYS_IN_WORDS, asked, keyboard, shown
from animato.cli.stage.map_beside import refuse_unread_map
from animato.cli.stage.servo_tables import found_table, map_table, sliding
from animato.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from animato.character import Character
    from animato.stage.servos import Jogged, MapFile, Step

Kind = Literal["dynamixel", "feetech", "maestro", "bottango"]
Who = Annotated[str | None, arg(metavar="CHARACTER", help_behavior_hint="(all but find)")]
Words = Annotated[tuple[str, ...], arg(metavar="WORD", help_behavior_hint="")]


class Wishes(NamedTuple):
    """What was said beside the character and its words."""

    port: tuple[str, ...]
    kind: Kind | None
    baud: int | None
    ids: tuple[int, ...]
    by: bool
    hold: bool
    yes: bool
    thorough: bool


def servos(
    what: Positional[Annotated[Literal["find", "map", "show", "calibrate", "jog", "set"], arg(metavar="WHAT")]],
    character: Positional[Who] = None,
    words: Positional[Words] = (),
    /,
    *,
    servos: ServoMap = None,
    port: Annotated[tuple[str, ...], arg(metavar="PORT|BUS=PORT", help_behavior_hint="(default: as mapped)")] = (),
    kind: Annotated[Kind | None, arg(metavar="KIND", help_behavior_hint="")] = None,
    baud: Annotated[int | None, arg(metavar="N", help_behavior_hint="(default: those that are usual)")] = None,
    ids: Annotated[tuple[int, ...], arg(metavar="ID", help_behavior_hint="(default: counted up)")] = (),
    by: bool = False,
    hold: bool = False,
    thorough: bool = False,
    yes: Yes = False,
    base: Base = "auto",
) -> int:
    """Say which servo moves which joint: find servos, calibrate their zeros, move one joint by hand.

    animato servos find [--port PORT] [--kind KIND] [--baud N]: which servos answer.

    animato servos map CHARACTER --kind KIND --port PORT: a first map, ids in the order of the joints.

    animato servos show CHARACTER: the map, what is missing, how much room each range has; status 1 if not all is well.

    animato servos calibrate CHARACTER [JOINT ...]: guided, joint by joint; shows an overflow before it happens.

    animato servos jog CHARACTER JOINT [DEGREES]: one joint, slowly and inside its limits, by keys or to an angle.

    animato servos set CHARACTER JOINT|BUS KEY=VALUE ...: single values of the map.

    Args:
        what: find, map, show, calibrate, jog or set.
        character: Whose servos. Its map stands in its own file where that is YAML, else in NAME.servos.yaml.
        words: Joints and values, as above.
        servos: A servo map in a file of its own, read and written.
        port: Where the servos hang.
        kind: dynamixel, feetech, maestro or bottango.
        baud: Bits a second.
        ids: For map: of the servos, in the order of the joints.
        by: For jog: the angle counts from where the joint stands.
        hold: For jog: leave the torque on at the end.
        thorough: For find: wait long enough for great ids at every speed.
        yes: Do not ask before the torque goes on, nor before the map is written.
        base: Whether a URDF robot is held or floats.
    """
    from animato.formats import load_character
    from animato.stage.servos import map_file_of

    wishes = Wishes(port, kind, baud, ids, by, hold, yes, thorough)
    if what == "find":
        if character is not None:
            raise OptionError(f"'find' asks ports and no character; given '{character}'. Say `port` for one of them.")
        return _find(wishes)
    if character is None:
        raise OptionError(f"'{what}' needs a character: its name or file.")
    model = load_character(character, base=base)
    file = map_file_of(character, model, servos)
    if servos is not None and (Path(servos).exists() or what not in ("map", "set")):
        model = with_servos(model, servos)
    refuse_unread_map(character, model, servos)
    if what == "map":
        return _map(model, file, wishes)
    if what == "show":
        return _show(model)
    if what == "set":
        return _set(model, file, words)
    placed = _at_ports(model, wishes)
    return _calibrate(placed, file, words, yes) if what == "calibrate" else _jog(placed, words, wishes)


def _find(wishes: Wishes) -> int:
    from animato.stage.servos import find_servos

    bauds = () if wishes.baud is None else (wishes.baud,)
    found = find_servos(wishes.port, wishes.kind, bauds, thorough=wishes.thorough, say=say)
    servos = [one for one in found if one.servos]
    for one in found:
        if one.note:
            say(f"{one.port}: {one.note}")
    if not servos:
        where = "There is no serial port on USB." if not found else "No servo answered."
        say(f"{where} Check power and cable; say --port, --kind and --baud where you know them.")
        return DOES_NOT_FIT
    console(stderr=False).print(found_table(servos))
    for one in servos:
        for note in one.notes():
            say(f"{one.port}: {note}")
    say("A map to paste, with the joints still to be named; or let animato servos map write one:")
    for number, one in enumerate(servos, 1):
        print("\n".join(one.map_lines("bus" if len(servos) == 1 else f"bus{number}")))
    return FITS


def _map(character: Character, file: MapFile, wishes: Wishes) -> int:
    from animato.stage.servos import changes_between, first_map, save_changes

    if wishes.kind is None:
        raise OptionError("Say by `kind` what the servos speak: dynamixel, feetech, maestro or bottango.")
    if len(wishes.port) > 1:
        raise OptionError(f"A first map has one bus, so one `port`; given {', '.join(wishes.port)}.")
    port = wishes.port[0] if wishes.port else ""
    made = first_map(character, wishes.kind, port, wishes.baud, wishes.ids)
    saved = save_changes(file, character, *changes_between(character, made))
    _show(saved)
    say(f"Written: {file.path}")
    return FITS


def _show(character: Character) -> int:
    from animato.stage.servos import map_rows, map_troubles

    rows = map_rows(character)
    console(stderr=False).print(map_table(character, rows))
    troubles = map_troubles(rows)
    for trouble in troubles:
        say(trouble)
    return DOES_NOT_FIT if troubles else FITS


def _set(character: Character, file: MapFile, words: Sequence[str]) -> int:
    from animato.stage.servos import set_values

    if not words:
        raise OptionError("Say of which joint or bus, then KEY=VALUE.")
    set_values(file, character, words[0], words[1:])
    say(f"Written: {file.path}")
    return FITS


def _calibrate(character: Character, file: MapFile, joints: Sequence[str], yes: bool) -> int:
    from animato.stage.servos import calibrate, save_calibration

    found = calibrate(character, asked, say, joints)
    for line in found.lines():
        say(line)
    if not found.done:
        say("Nothing was written.")
        return DOES_NOT_FIT
    if not yes and asked(f"Write this into {file.path}? (Enter for yes, n)", None).strip().lower() in ("n", "no"):
        say("Nothing was written.")
        return DOES_NOT_FIT
    saved = save_calibration(found, file)
    say(f"Written: {file.path}" + (f"; as it was: {file.backup}" if file.backup.exists() else ""))
    return FITS if _show(saved) == FITS and len(found.done) == len(found.outcomes) else DOES_NOT_FIT


def _jog(character: Character, words: Sequence[str], wishes: Wishes) -> int:
    if not 1 <= len(words) <= 2:
        raise OptionError("Say which joint, and where it is to go: degrees (millimetres where it slides) or nothing.")
    joint = words[0]
    slides = joint in sliding(character)
    value = None
    if len(words) == 2:
        try:
            value = float(words[1]) * (1e-3 if slides else math.pi / 180.0)
        except ValueError:
            raise OptionError(f"'{words[1]}' is no number of {'millimetres' if slides else 'degrees'}.") from None
    elif wishes.by:
        raise OptionError("`by` says how to count an angle; give one.")
    with contextlib.ExitStack() as opened:
        keys = opened.enter_context(keyboard()) if value is None else None
        done = _jogged(character, joint, value, keys, wishes)
    if done.report is None:
        say("Nothing was moved.")
        return DOES_NOT_FIT
    at = f"{1e3 * done.reached:.1f} mm" if slides else f"{math.degrees(done.reached):z.1f} degrees"
    say(f"{joint} is at {at}; its torque is {'on' if done.holds else 'off'}.")
    return FITS if done.report.fault is None and not done.report.stopped else DOES_NOT_FIT


def _jogged(
    character: Character, joint: str, value: float | None, keys: Iterator[Step] | None, wishes: Wishes
) -> Jogged:
    from animato.stage.servos import jog

    def confirm(lines: list[str]) -> bool:
        for line in lines:
            say(line)
        agreed = wishes.yes or asked_for_torque()
        if agreed and keys is not None:
            say(KEYS_IN_WORDS)
        return agreed

    return jog(
        character,
        joint,
        value,
        by=wishes.by,
        keys=keys,
        hold=wishes.hold,
        confirm=confirm,
        say=lambda one: say(as_flags(one)),
        show=shown,
    )


def _at_ports(character: Character, wishes: Wishes) -> Character:
    """The character with buses at other ports, or at another speed, for this time only."""
    names = [bus.name for bus in character.buses]
    ports: dict[str, str] = {}
    for word in wishes.port:
        name, equals, place = word.partition("=")
        if not equals:
            if len(names) != 1:
                raise OptionError(f"'{word}' is a port for one bus, and there are {len(names)}: write BUS=PORT.")
            name, place = names[0], word
        if name not in names:
            raise unknown_name("bus", name, names, "the servo map")
        ports[name] = place
    buses = (replace(one, port=ports.get(one.name, one.port), baud=wishes.baud or one.baud) for one in character.buses)
    return replace(character, buses=tuple(buses))
