from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from animato.character import Body, Character, EndPoint, Frame, Joint, JointType, Marker
from animato.character.structure import character_with_end_point
from animato.errors import OptionError, UnknownNameError

TURN = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))


@pytest.fixture
def arm() -> Character:
    return Character(
        "arm",
        (Body("base"), Body("upper"), Body("hand")),
        (
            Joint("floor", JointType.GROUND, "world", "base"),
            Joint("shoulder", JointType.REVOLUTE, "base", "upper"),
            Joint("wrist", JointType.REVOLUTE, "upper", "hand"),
        ),
        end_points=(EndPoint("eye", "hand", forward=(0, 1, 0)),),
        markers=(Marker("tip", "hand", (0.1, 0, 0), TURN), Marker("upper", "base", (0, 0, 1))),
    )


def test_a_body_becomes_an_end_point(arm: Character) -> None:
    made = character_with_end_point(arm, "hand")
    assert made.end_points == (*arm.end_points, EndPoint("hand", "hand"))
    assert character_with_end_point(made, "hand") is made


def test_a_marker_does_in_its_own_frame_and_before_a_body(arm: Character) -> None:
    tip = character_with_end_point(arm, "tip", "-y", [0, 0, 3]).end_point("tip")
    assert tip == EndPoint("tip", "hand", Frame((0.1, 0, 0), TURN), (0, -1, 0), (0, 0, 1))
    assert character_with_end_point(arm, "upper").end_point("upper").body == "base"


def test_an_end_point_keeps_its_place_and_takes_directions(arm: Character) -> None:
    assert character_with_end_point(arm, "eye") is arm
    assert character_with_end_point(arm, "eye", forward="x").end_points == (EndPoint("eye", "hand"),)
    assert character_with_end_point(arm, "eye", up="x").end_point("eye").forward == (0, 1, 0)


@pytest.mark.parametrize(("forward", "up"), [("z", (1, 0, 0)), ("-z", (1, 0, 0)), ("y", (0, 0, 1))])
def test_up_goes_out_of_the_way(arm: Character, forward: str, up: tuple[float, ...]) -> None:
    assert character_with_end_point(arm, "hand", forward).end_point("hand").up == up


def test_what_does_not_exist_is_told_with_what_does(arm: Character) -> None:
    listed = "End-points: eye. Markers: tip, upper. Bodies: base, upper, hand."
    with pytest.raises(UnknownNameError, match=rf"'hnad' that could.* Did you mean 'hand'\? {listed}"):
        character_with_end_point(arm, "hnad")


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        ({"forward": "w"}, "`forward` must be one of x, y, z, -x, -y, -z or three numbers.*'w'"),
        ({"up": [0, 0, 0]}, "`up` must be"),
        ({"up": [0, 1]}, "`up` must be"),
        ({"forward": [np.nan, 0, 1]}, "`forward` must be"),
        ({"forward": "x", "up": "-x"}, "are parallel"),
    ],
)
def test_directions_must_be_some(arm: Character, ways: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        character_with_end_point(arm, "hand", **ways)
