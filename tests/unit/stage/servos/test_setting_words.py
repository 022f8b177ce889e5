"""What a person mistypes in a servo map is answered with what there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from animato.character import Character
from animato.errors import OptionError, UnknownNameError
from animato.formats import load_character
from animato.stage.servos import MapFile, first_map, set_values


@pytest.fixture
def mapped() -> Character:
    return first_map(load_character("lamp"), "feetech")


def test_a_key_that_is_not_there(mapped: Character, tmp_path: Path) -> None:
    file = MapFile(tmp_path / "map.yaml", False)
    with pytest.raises(
        OptionError, match=r"A bus has no 'prt'\. Did you mean 'port'\? It has kind, port, baud, rate\."
    ):
        set_values(file, mapped, "feetech", ["prt=/dev/ttyUSB0"])
    with pytest.raises(OptionError, match=r"A servo has no 'zeor'\. Did you mean 'zero'\?"):
        set_values(file, mapped, "turn", ["zeor=2048"])
    assert not file.path.exists()


def test_a_name_that_is_neither_a_joint_nor_a_bus(mapped: Character, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"neither a joint of 'lamp' nor a bus .* Did you mean 'turn'\?"):
        set_values(MapFile(tmp_path / "map.yaml", False), mapped, "turm", ["zero=2048"])


def test_a_robot_without_motors_has_nothing_to_map() -> None:
    lamp = load_character("lamp")
    (ground,) = (joint for joint in lamp.joints if not joint.coordinate_names)
    still = replace(lamp, joints=(ground,), bodies=(lamp.body(ground.child),), markers=(), end_points=(), postures=())
    with pytest.raises(OptionError, match="No motor drives a joint of 'lamp'"):
        first_map(still, "feetech")
