"""Every exported file says what it holds and what made it: names, units, order, rate, version and hashes."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.errors import AnimatoError
from animato.loading import fingerprint
from animato.stage.exporting import FORMATS, Format, export, provenance, take_of
from animato.stage.exporting.pulses.card_file import read_card
from animato.version import __version__
from tests.export_builders import lamp_with_servos, swing


def _in_comment(text: str, mark: str) -> Any:
    """The JSON in the lines of a comment that begin with a mark."""
    lines = [line.removeprefix(mark) for line in text.splitlines() if line.startswith(mark)]
    start = next(n for n, line in enumerate(lines) if line.strip() == "{")
    return json.JSONDecoder().raw_decode("\n".join(lines[start:]))[0]


def _in_header(text: str) -> Any:
    return json.JSONDecoder().raw_decode(text[text.index("{\n") :])[0]


def _of_archive(path: Path) -> Any:
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
        return json.loads(str(arrays["about"]))


def _of_folder(path: Path) -> Any:
    return json.loads((path / "about.json").read_text())


def _beside(path: Path) -> Any:
    return json.loads(path.with_name(path.name + ".about.json").read_text())


def _of_sketch(path: Path) -> Any:
    said = _of_folder(path)
    assert _in_comment((path / f"{path.name}.ino").read_text(), "// ") == said
    return said


def _of_card(path: Path) -> Any:
    said = _of_sketch(path)
    assert read_card((path / "CLIP.ANI").read_bytes()).about == said
    return said


_READ: dict[str, Callable[[Path], Any]] = {
    "ros2-mcap": _of_folder,
    "ros2-sqlite3": _of_folder,
    "ros2-goal": lambda path: _in_comment(path.read_text(), "# "),
    "lerobot": _of_folder,
    "reachy-mini": lambda path: json.loads(path.read_text())["animato"],
    "servo-animation-json": lambda path: json.loads(path.read_text())["animato"],
    "servo-animation-h": lambda path: _in_header(path.read_text()),
    "servo-animation-bin": _beside,
    "arduino": _of_sketch,
    "arduino-sd": _of_card,
    "unitree": _beside,
    "kimodo": _beside,
    "bones-seed": _beside,
    "gmr": lambda path: pickle.loads(path.read_bytes())["about"],
    **dict.fromkeys(("beyondmimic", "mjlab", "holosoma", "holosoma-training"), _of_archive),
}
_NEEDS = {"ros2-mcap": "rosbags", "ros2-sqlite3": "rosbags", "lerobot": "pyarrow"}


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_file_says_names_units_order_rate_version_and_hashes(one: Format, tmp_path: Path) -> None:
    if one.name in _NEEDS:
        pytest.importorskip(_NEEDS[one.name])
    lamp = lamp_with_servos()
    clip, path = swing(lamp), tmp_path / f"file{one.suffix}"
    head: dict[str, Any] = {"head": "shade"} if one.name == "reachy-mini" else {}
    export(path, lamp, clip, to=one.name, name="swing", **head)
    said, take = _READ[one.name](path), take_of(lamp, clip, rate_hz=one.rate_hz)
    assert said["made_by"] == f"animato {__version__}"
    assert said["motion"] == "swing"
    assert said["motion_sha256"] == fingerprint(clip)
    assert (said["character"], said["character_sha256"]) == (lamp.name, fingerprint(lamp))
    assert (said["rate_hz"], said["frames"]) == (take.rate_hz, take.clip.frame_count)
    assert sorted(said["joint_names"]) == sorted(lamp.coordinate_names)
    assert {"angle", "length", "up"} <= set(said["units"])
    assert said["quaternion_order"]
    assert isinstance(said["notes"], list)


@pytest.mark.parametrize("to", ["unitree", "bones-seed", "servo-animation-bin"])
def test_a_file_and_what_stands_beside_it_are_written_both_or_neither(
    to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Path:
        raise AnimatoError("The disk is full.")

    lamp, path = lamp_with_servos(), tmp_path / f"file{FORMATS[to].suffix}"
    export(path, lamp, swing(lamp), to=to)
    monkeypatch.setattr(provenance, "save_about", full)
    with pytest.raises(AnimatoError, match="full"):
        export(path, lamp, swing(lamp), to=to)
    assert not list(tmp_path.iterdir())
