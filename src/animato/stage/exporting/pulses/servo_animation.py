"""A clip as Blender Servo Animation writes it: as JSON, as a header for Arduino, or as binary commands.

Where the add-on silently drops a frame that is out of range, such a clip is refused here.
"""

from __future__ import annotations

import json
from pathlib import Path

from animato.errors import OptionError, unknown_name
from animato.formats.files import write_whole
from animato.stage.exporting.provenance import provenance_of, write_with_about
from animato.stage.exporting.pulses.servo_frames import ServoFrames, servo_frames_of
from animato.stage.exporting.take import Exported, Take

_START, _END, _NEXT_FRAME = 0x3C, 0x3E, 0x0A
_LAYOUTS = ("json", "header", "binary")
_MOST_ON_AVR = 32_767
_A_LINE = 12


def write(path: Path, take: Take, *, layout: str, every_frame: bool = False) -> Exported:
    """Writes what servos are told.

    Args:
        path: The file.
        take: Of a character with a servo map; the servos' ids are the add-on's.
        layout: json, header or binary.
        every_frame: Also write positions that are as in the frame before.
    """
    if layout not in _LAYOUTS:
        raise unknown_name("layout", layout, _LAYOUTS, "Blender Servo Animation")
    fps = round(take.rate_hz)
    if abs(fps - take.rate_hz) > 1e-9 or not 1 <= fps <= 255:
        raise OptionError(f"Blender Servo Animation has 1 to 255 whole frames a second; given {take.rate_hz:g}.")
    frames = servo_frames_of(take)
    if frames.told.min() < 0 or frames.told.max() > 0xFFFF:
        raise OptionError("A position of Blender Servo Animation is 0 to 65535; the servo map goes beyond.")
    positions = _positions(frames, every_frame=every_frame)
    about = provenance_of(
        take,
        joint_names=list(frames.names),
        servo_ids=[slot.wire.id for slot in frames.slots],
        position_units="counts or microseconds, as in the servo map",
    )
    said = [*frames.notes]
    if take.clip.has_base:
        said.append("Where the base goes is not in the file.")
    files: tuple[Path, ...] = (path,)
    if layout == "json":
        write_whole(path, _json(take, positions, fps, about))
    elif layout == "binary":
        files = write_with_about(path, bytes(commands(positions)), about)
    else:
        length = len(commands(positions))
        if length > _MOST_ON_AVR or len(positions) > _MOST_ON_AVR:
            said.append(
                f"The header has {length} bytes of commands; boards with an AVR count to {_MOST_ON_AVR}. Use the "
                f"binary file there."
            )
        write_whole(path, _header(take, positions, fps, about))
    return Exported(files, tuple(said))


def _positions(frames: ServoFrames, *, every_frame: bool) -> list[dict[int, int]]:
    """A mapping from servo id to position for each frame; unchanged ones are left out, as the add-on does."""
    ids = [slot.wire.id for slot in frames.slots]
    made: list[dict[int, int]] = []
    last: dict[int, int] = {}
    for row in frames.told.tolist():
        frame = {one: told for one, told in zip(ids, row, strict=True) if every_frame or last.get(one) != told}
        last |= frame
        made.append(frame)
    return made


def commands(positions: list[dict[int, int]]) -> list[int]:
    """Bytes: `<`, id, high, low, `>` for each position, a line feed after each frame."""
    made: list[int] = []
    for frame in positions:
        for servo, position in frame.items():
            made += [_START, servo, *position.to_bytes(2, "big"), _END]
        made.append(_NEXT_FRAME)
    return made


def _json(take: Take, positions: list[dict[int, int]], fps: int, about: dict[str, object]) -> str:
    data = {
        "description": "Blender Servo Animation Positions",
        "fps": fps,
        "frames": len(positions),
        "seconds": round(len(positions) / fps),
        "bones": len(positions[0]),
        "file": "",
        "scene": take.name,
        "positions": positions,
        "animato": about,
    }
    return json.dumps(data, indent=2) + "\n"


def _header(take: Take, positions: list[dict[int, int]], fps: int, about: dict[str, object]) -> str:
    told = commands(positions)
    # whatever a name holds, it must not end the comment
    scene = take.name.replace("*/", "* /").replace("\n", " ")
    origin = json.dumps(about, indent=2).replace("*/", "* /").replace("\n", "\n  ")
    rows = (
        "    " + ", ".join(f"{byte:#04x}" for byte in told[n : n + _A_LINE]) + ",\n"
        for n in range(0, len(told), _A_LINE)
    )
    return (
        "/*\n  Blender Servo Animation Positions\n\n"
        f"  FPS: {fps}\n  Frames: {len(positions)}\n  Seconds: {round(len(positions) / fps)}\n"
        f"  Bones: {len(positions[0])}\n  Scene: {scene}\n\n  {origin}\n*/\n\n"
        "#include <Arduino.h>\n\n"
        f"const byte FPS = {fps};\nconst int FRAMES = {len(positions)};\nconst int LENGTH = {len(told)};\n\n"
        f"const byte PROGMEM ANIMATION_DATA[LENGTH] = {{\n{''.join(rows)}}};\n"
    )
