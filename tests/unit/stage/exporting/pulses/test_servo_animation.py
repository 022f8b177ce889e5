"""Files of Blender Servo Animation, read as its Arduino library reads them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Bus, BusKind
from animato.errors import CharacterError, OptionError
from animato.motion import Clip
from animato.stage.exporting import export, take_of
from animato.stage.exporting.pulses import servo_frames_of
from tests.export_builders import lamp_with_servos, swing


def played(commands: bytes) -> list[dict[int, int]]:
    """Frame by frame what every servo stands at: five bytes a command, whatever is in them, and a line feed a frame."""
    frames: list[dict[int, int]] = []
    now: dict[int, int] = {}
    at = 0
    while at < len(commands):
        if commands[at] == 0x0A:
            frames.append(dict(now))
            at += 1
            continue
        assert commands[at] == 0x3C
        assert commands[at + 4] == 0x3E
        now[commands[at + 1]] = commands[at + 2] * 256 + commands[at + 3]
        at += 5
    return frames


@pytest.mark.parametrize("every_frame", [False, True])
def test_all_three_layouts_say_the_same(tmp_path: Path, every_frame: bool) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    for layout, suffix in (("json", "json"), ("h", "h"), ("bin", "bin")):
        place = tmp_path / f"clip.{suffix}"
        export(place, lamp, clip, to=f"servo-animation-{layout}", every_frame=every_frame, name="tricky */ name")
    frames = servo_frames_of(take_of(lamp, clip, rate_hz=30.0))
    ids = [slot.wire.id for slot in frames.slots]
    wanted = [dict(zip(ids, row, strict=True)) for row in frames.told.tolist()]
    binary = (tmp_path / "clip.bin").read_bytes()
    assert played(binary) == wanted
    data = json.loads((tmp_path / "clip.json").read_text())
    now: dict[int, int] = {}
    for frame, stands in zip(data["positions"], wanted, strict=True):
        now |= {int(servo): position for servo, position in frame.items()}
        assert now == stands
    assert (data["fps"], data["frames"], data["bones"]) == (30, 61, 5)
    assert data["animato"]["joint_names"] == list(lamp.coordinate_names)
    header = (tmp_path / "clip.h").read_text()
    code = header[header.index("*/") :]
    assert bytes(int(one, 16) for one in re.findall(r"0x([0-9a-f]{2})", code)) == binary
    assert f"LENGTH = {len(binary)};" in code
    assert header.count("*/") == 1
    assert json.loads((tmp_path / "clip.bin.about.json").read_text())["servo_ids"] == ids
    assert (len(binary) == 61 * (5 * 5 + 1)) is every_frame


def test_counts_of_an_encoder_go_out_as_counts(tmp_path: Path) -> None:
    lamp = lamp_with_servos(BusKind.DYNAMIXEL)
    clip = Clip(np.arange(3) / 30.0, ("turn",), np.array([[0.0], [1.0], [1.0]]))
    export(tmp_path / "clip.bin", lamp, clip, to="servo-animation-bin")
    assert [frame[2] for frame in played((tmp_path / "clip.bin").read_bytes())] == [2048, 2700, 2700]


def test_frames_out_of_range_are_refused_not_dropped(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    far = Clip(clip.times, clip.names, clip.positions * 8.0)
    with pytest.raises(OptionError, match="Run fix"):
        export(tmp_path / "clip.json", lamp, far, to="servo-animation-json")
    with pytest.raises(OptionError, match="1 to 255 whole"):
        export(tmp_path / "clip.json", lamp, clip, to="servo-animation-json", rate_hz=24.5)
    two = replace(
        lamp,
        buses=(*lamp.buses, Bus("head", BusKind.MAESTRO)),
        wires=tuple(replace(one, bus="head", id=2) if one.coordinate == "tilt" else one for one in lamp.wires),
    )
    with pytest.raises(CharacterError, match="both have servo 2"):
        export(tmp_path / "clip.json", two, clip, to="servo-animation-json")
    assert not list(tmp_path.iterdir())
