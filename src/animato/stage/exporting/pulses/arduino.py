"""A clip as a sketch for Arduino that plays alone: from the board's memory, or from an SD card."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from animato.character import COUNTED
from animato.errors import CharacterError, OptionError, unknown_name
from animato.stage.exporting.folders import ABOUT, whole_folder
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.pulses.card_file import card_bytes
from animato.stage.exporting.pulses.servo_frames import ServoFrames, servo_frames_of
from animato.stage.exporting.pulses.servo_rows import PARTS, ServoRow, servo_rows
from animato.stage.exporting.take import Exported, Take

_DRIVERS = {"servo": (400, 2600, 255), "pca9685": (1, 19_999, 15)}
"""Shortest and longest pulse [microseconds] and the highest channel of each."""
_MOST_SERVOS = 24
_UNO_FLASH = 24_000
"""What is left of an Uno's 32 KB when the sketch and its libraries are in it [bytes]."""
_AVR_ARRAY = 32_767
_CARD_NAME = "CLIP.ANI"


def write(
    path: Path, take: Take, *, medium: str, driver: str = "servo", card_pin: int = 10, repeat: bool = False
) -> Exported:
    """Writes a sketch's folder.

    Args:
        path: The folder; the sketch in it has its name, as Arduino wants it.
        take: Of a character whose servo map is all hobby servos; their ids are pins or channels.
        medium: flash or card.
        driver: servo for the board's own pins, pca9685 for that board.
        card_pin: The pin that selects the SD card.
        repeat: Play again and again.
    """
    if driver not in _DRIVERS:
        raise unknown_name("driver", driver, _DRIVERS, "the sketches that are written")
    if not 0 <= card_pin <= 255:
        raise OptionError(f"`card_pin` is 0 to 255; given {card_pin}.")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}", path.name):
        raise OptionError(f"A sketch's folder is named by letters, digits, _ . and -, at most 63; given '{path.name}'.")
    frames = servo_frames_of(take, parts=PARTS)
    _check_board(take, frames, driver)
    if medium == "card" and driver == "servo" and card_pin in (slot.wire.id for slot in frames.slots):
        raise OptionError(f"Pin {card_pin} selects the SD card, and a servo is on it; say another `card_pin`.")
    rows = servo_rows(take, frames)
    about = provenance_of(
        take,
        joint_names=list(frames.names),
        channels=[row.channel for row in rows],
        position_units="quarter microseconds",
        driver=driver,
    )
    if medium == "flash":
        made = _from_flash(take, frames, rows, repeat)
    else:
        made = {_CARD_NAME: card_bytes(rows, frames.told, period_us(take), repeat=repeat, about=about)}
    main = _text(f"{medium}.ino").replace("@ABOUT@", _comment(about)).replace("@CARD_PIN@", str(card_pin))
    made |= {
        f"{path.name}.ino": main.replace("@DRIVER@", f"driver_{driver}.h").encode(),
        "player.h": _text("player.h").encode(),
        f"driver_{driver}.h": _text(f"driver_{driver}.h").encode(),
    }
    with whole_folder(path, about) as folder:
        for name, content in made.items():
            (folder / name).write_bytes(content)
    order = [f"{path.name}.ino", *sorted(name for name in made if not name.endswith(".ino")), ABOUT]
    return Exported(tuple(path / name for name in order), _said(take, frames, medium, driver))


def _check_board(take: Take, frames: ServoFrames, driver: str) -> None:
    buses = {bus.name: bus.kind for bus in take.character.buses}
    digital = [name for name, slot in zip(frames.names, frames.slots, strict=True) if buses[slot.wire.bus] in COUNTED]
    if digital:
        raise CharacterError(
            f"These have servos on a digital bus, which a sketch does not speak: {', '.join(digital)}. A sketch makes "
            f"pulses; play such servos from a computer."
        )
    if len(frames.names) > _MOST_SERVOS:
        raise OptionError(f"A sketch plays at most {_MOST_SERVOS} servos; the character has {len(frames.names)}.")
    shortest, longest, most = _DRIVERS[driver]
    for number, slot in enumerate(frames.slots):
        least, greatest = frames.bounds(number)
        if slot.wire.id > most:
            raise OptionError(f"Channels of {driver} are 0 to {most}; '{slot.wire.coordinate}' has {slot.wire.id}.")
        if least < PARTS * shortest or greatest > PARTS * longest:
            raise OptionError(
                f"Pulses of {driver} are {shortest} to {longest} microseconds; the servo of '{slot.wire.coordinate}' "
                f"may be told {slot.lowest:.0f} to {slot.highest:.0f}."
            )


def _from_flash(take: Take, frames: ServoFrames, rows: list[ServoRow], repeat: bool) -> dict[str, bytes]:
    data = ",\n".join(
        f"  {{{row.channel}, {row.neutral}, {row.lowest}, {row.highest}, {row.step}, {row.start_step}}}  "
        f"/* {_plain(row.name)} */"
        for row in rows
    )
    told = ",\n".join("  " + ", ".join(map(str, frame)) for frame in frames.told.tolist())
    size = 2 * frames.told.size
    text = f"""// The clip: what each servo is told in each frame, in quarter microseconds.
#pragma once
#include <Arduino.h>

#if defined(__AVR__) && {size} > {_AVR_ARRAY}
#error "The clip has {size} bytes, more than this board can read: export it with a lower rate, or for an SD card."
#endif

const uint8_t CLIP_SERVOS = {len(rows)};
const uint32_t CLIP_FRAME_COUNT = {len(frames.told)};
const uint32_t CLIP_PERIOD_US = {period_us(take)};
const bool CLIP_REPEATS = {str(repeat).lower()};

// Channel, neutral, lowest, highest, farthest in a frame, farthest in a frame on the way to the first one.
const uint16_t PROGMEM CLIP_SERVO_DATA[CLIP_SERVOS][6] = {{
{data}
}};

const uint16_t PROGMEM CLIP_FRAMES[CLIP_FRAME_COUNT * CLIP_SERVOS] = {{
{told}
}};
"""
    return {"clip.h": text.encode()}


def period_us(take: Take) -> int:
    """From frame to frame [microseconds], whole."""
    period = round(1e6 / take.rate_hz)
    if not 1000 <= period <= 1_000_000:
        raise OptionError(f"A sketch plays 1 to 1000 frames a second; given {take.rate_hz:g}.")
    return period


def _said(take: Take, frames: ServoFrames, medium: str, driver: str) -> tuple[str, ...]:
    said = [
        *frames.notes,
        "A hobby servo cannot tell where it stands: when power comes it goes to its neutral pulse at its own speed; "
        "from there on everything is soft.",
    ]
    drift = abs(period_us(take) * take.rate_hz * 1e-6 - 1.0) * take.clip.duration
    if drift > 0.001:
        said.append(f"Frames are whole microseconds apart; at the end the sketch is {drift * 1000.0:.3g} ms off.")
    size = 2 * frames.told.size
    if medium == "flash" and size > _UNO_FLASH:
        said.append(f"The clip takes {size / 1024.0:.0f} KB, too much for an Uno; take a larger board or arduino-sd.")
    spi = sorted({slot.wire.id for slot in frames.slots} & {11, 12, 13})
    if medium == "card" and driver == "servo" and spi:
        said.append(f"On an Uno the SD card needs pins 11 to 13; servos are on {', '.join(map(str, spi))}.")
    if driver == "servo" and len(frames.names) > 12:
        said.append("The library Servo moves at most 12 servos on an Uno; take a PCA9685 or a larger board.")
    if take.clip.has_base:
        said.append("Where the base goes is not in the sketch.")
    return tuple(said)


def _text(name: str) -> str:
    return (files("animato.stage.exporting.pulses") / "sketches" / name).read_text(encoding="utf-8")


def _plain(text: str) -> str:
    """Text that ends no comment and needs no more than ASCII."""
    return text.encode("ascii", "replace").decode().replace("*/", "* /").replace("\\", "/").replace("\n", " ")


def _comment(about: dict[str, Any]) -> str:
    return "\n".join(f"// {_plain(line)}" for line in json.dumps(about, indent=1).splitlines())
