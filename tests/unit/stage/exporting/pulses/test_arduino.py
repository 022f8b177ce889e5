"""Sketches, compiled and run on a board that is not there: what it makes of a clip is the clip, to the tick."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import BusKind, Character
from animato.errors import CharacterError, OptionError
from animato.motion import Clip
from animato.stage.exporting import export, take_of
from animato.stage.exporting.pulses import ServoFrames, servo_frames_of
from animato.stage.exporting.pulses.card_file import read_card
from animato.stage.exporting.pulses.servo_rows import servo_rows
from tests.export_builders import lamp_with_servos, swing

BOARD = Path(__file__).parent / "board"
COMPILER = shutil.which("g++")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no g++ here")


class Ran:
    """What a board made of a sketch: by channel, times [us] and what was told; and whether its light blinked."""

    def __init__(self, sketch: Path, work: Path, *, ms: int, pulled_ms: int = 0, step_us: int = 97) -> None:
        main = sketch / f"{sketch.name}.ino"
        assert COMPILER is not None
        flags = [f'-DSKETCH="{main}"', *(["-DCARD"] if (sketch / "CLIP.ANI").exists() else [])]
        command = [COMPILER, "-std=gnu++11", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{BOARD}", f"-I{sketch}", *flags]
        subprocess.run([*command, "-x", "c++", str(BOARD / "run.cpp"), "-o", str(work / "run")], check=True)
        done = subprocess.run(
            [str(work / "run"), str(ms), str(pulled_ms), str(step_us)],
            check=True,
            cwd=sketch,
            capture_output=True,
            text=True,
        )
        rows = np.array([line.split() for line in done.stdout.splitlines()], dtype=np.int64).reshape(-1, 3)
        self.channels = {channel: rows[rows[:, 1] == channel][:, [0, 2]] for channel in np.unique(rows[:, 1]).tolist()}
        self.blinked = int(done.stderr) > 0


def expected(lamp: Character, clip: Clip, rate_hz: float = 50.0) -> ServoFrames:
    return servo_frames_of(take_of(lamp, clip, rate_hz=rate_hz), parts=4)


def in_ticks(driver: str, quarter_us: np.ndarray) -> np.ndarray:
    """What the driver's library is told."""
    return (quarter_us + 2) // 4 if driver == "servo" else np.floor(quarter_us * 4096 / 80000 + 0.5).astype(np.int64)


@needs_compiler
@pytest.mark.parametrize("medium", ["arduino", "arduino-sd"])
@pytest.mark.parametrize("driver", ["servo", "pca9685"])
def test_the_board_tells_servos_the_clip_to_the_tick(tmp_path: Path, medium: str, driver: str) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp, rests=False)
    done = export(tmp_path / "wave", lamp, clip, to=medium, driver=driver)
    assert done.files[0].name == "wave.ino"
    frames = expected(lamp, clip)
    ran = Ran(tmp_path / "wave", tmp_path, ms=12_000)
    rows = servo_rows(take_of(lamp, clip, rate_hz=50.0), frames)
    assert set(ran.channels) == {row.channel for row in rows}
    for number, row in enumerate(rows):
        told = ran.channels[row.channel]
        played = told[-len(frames.told) :]
        assert np.array_equal(played[:, 1], in_ticks(driver, frames.told[:, number]))
        late = played[:, 0] - played[0, 0] - np.arange(len(played)) * 20_000
        assert np.abs(late).max() <= 97  # the loop's own step
        assert told[0, 1] == in_ticks(driver, np.array([row.neutral]))[0]
        start = told[: -len(frames.told)]
        tick = 1 if driver == "servo" else 80000 // 4096 // 4 + 1
        most = row.start_step / (4 if driver == "servo" else 80000 / 4096) + tick
        assert np.abs(np.diff(start[:, 1])).max() <= most
        assert start[-1, 0] - start[0, 0] >= 1_000_000
        assert abs(start[-1, 1] - played[0, 1]) <= tick


@needs_compiler
def test_a_clip_faster_than_the_servo_is_slowed_on_the_board(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    times = np.arange(51) / 50.0
    positions = np.zeros((51, 5))
    positions[25:, 0] = 1.2  # at once
    clip = Clip(times, lamp.coordinate_names, positions)
    done = export(tmp_path / "jump", lamp, clip, to="arduino")
    assert any("'turn'" in one and "times as fast" in one for one in done.left_out)
    ran = Ran(tmp_path / "jump", tmp_path, ms=4_000)
    row = servo_rows(take_of(lamp, clip, rate_hz=50.0), expected(lamp, clip))[0]
    steps = np.abs(np.diff(ran.channels[row.channel][:, 1]))
    assert 10 < steps.max() <= row.step / 4 + 1


@needs_compiler
def test_a_late_board_plays_late_and_skips_nothing(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    export(tmp_path / "wave", lamp, clip, to="arduino")
    ran = Ran(tmp_path / "wave", tmp_path, ms=12_000, step_us=50_000)
    frames = expected(lamp, clip)
    played = ran.channels[2][-len(frames.told) :]
    assert np.array_equal(played[:, 1], in_ticks("servo", frames.told[:, 0]))
    assert np.all(np.diff(played[:, 0]) == 50_000)


@needs_compiler
def test_a_card_that_is_pulled_holds_and_a_torn_file_moves_nothing(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    export(tmp_path / "wave", lamp, clip, to="arduino-sd")
    ran = Ran(tmp_path / "wave", tmp_path, ms=6_000, pulled_ms=1_700)
    assert ran.channels[2][-1, 0] <= 1_720_000
    file = tmp_path / "wave" / "CLIP.ANI"
    file.write_bytes(file.read_bytes()[:-2])
    torn = Ran(tmp_path / "wave", tmp_path, ms=3_000)
    assert torn.channels == {}
    assert torn.blinked
    with pytest.raises(OptionError, match="not whole"):
        read_card(file.read_bytes())


@needs_compiler
def test_repeated_it_goes_back_softly(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp, rests=False)
    export(tmp_path / "wave", lamp, clip, to="arduino", repeat=True)
    ran = Ran(tmp_path / "wave", tmp_path, ms=11_000)
    frames = expected(lamp, clip)
    row = servo_rows(take_of(lamp, clip, rate_hz=50.0), frames)[0]
    told = ran.channels[row.channel][:, 1]
    assert np.abs(np.diff(told)).max() <= row.step / 4 + 1
    wanted = in_ticks("servo", frames.told[:, 0])
    starts = [n for n in range(len(told) - len(wanted) + 1) if np.array_equal(told[n : n + len(wanted)], wanted)]
    assert len(starts) >= 2


def test_a_card_file_reads_back_whole(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    export(tmp_path / "wave", lamp, clip, to="arduino-sd", rate_hz=100.0, repeat=True)
    card = read_card((tmp_path / "wave" / "CLIP.ANI").read_bytes())
    assert np.array_equal(card.told, expected(lamp, clip, 100.0).told)
    assert [row.name for row in card.rows] == list(lamp.coordinate_names)
    assert (card.period_us, card.repeat) == (10_000, True)
    assert card.about["joint_names"] == list(lamp.coordinate_names)
    assert card.about["motion_sha256"]


def test_positions_are_the_servo_map_to_a_quarter_of_a_microsecond() -> None:
    lamp = lamp_with_servos()
    clip = swing(lamp)
    frames = servo_frames_of(take_of(lamp, clip), parts=4)
    travel = np.pi  # 180 degrees between 500 and 2500 microseconds
    elbow = 2083.25 - 2000.0 / travel * clip.positions[:, 2]
    assert np.abs(frames.told[:, 2] / 4.0 - elbow).max() <= 0.125 + 1e-9


def test_what_a_sketch_cannot_do_is_refused(tmp_path: Path) -> None:
    digital = lamp_with_servos(BusKind.DYNAMIXEL)
    with pytest.raises(CharacterError, match="digital bus"):
        export(tmp_path / "x", digital, swing(digital), to="arduino")
    lamp = lamp_with_servos()
    far = swing(lamp)
    far = Clip(far.times, far.names, far.positions * 8.0)
    with pytest.raises(OptionError, match="leaves the range of its servo in"):
        export(tmp_path / "x", lamp, far, to="arduino")
    with pytest.raises(OptionError, match="named by letters"):
        export(tmp_path / "a b", lamp, swing(lamp), to="arduino")
    high = replace(lamp, wires=tuple(replace(one, id=one.id + 16) for one in lamp.wires))
    with pytest.raises(OptionError, match="Channels of pca9685"):
        export(tmp_path / "x", high, swing(high), to="arduino", driver="pca9685")
    with pytest.raises(OptionError, match="Pin 4 selects the SD card"):
        export(tmp_path / "x", lamp, swing(lamp), to="arduino-sd", card_pin=4)
    assert not list(tmp_path.iterdir())
