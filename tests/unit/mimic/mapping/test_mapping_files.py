"""Mappings: made, written, changed, read, used again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError, UnknownNameError
from animato.formats import load_character
from animato.mimic.anatomy import BodyPoint, anatomy_of
from animato.mimic.mapping import Mapping, load_mapping, mapping_of, save_mapping
from animato.mimic.person import person_of
from tests.humanoid_builders import humanoid
from tests.person_builders import stick_figure

HEAD = "animato_mapping: 1\n"


def test_a_mapping_goes_through_its_file(tmp_path: Path) -> None:
    person, anatomy = person_of(stick_figure()), anatomy_of(load_character("pico"))
    mapping = mapping_of(person, anatomy)
    again = load_mapping(save_mapping(tmp_path / "both.yaml", mapping))
    assert again.person == mapping.person
    assert again.soles == mapping.soles
    assert [(one.landmark, one.body, one.position) for one in again.robot] == [
        (one.landmark, one.body, one.position) for one in mapping.robot
    ]
    text = (tmp_path / "both.yaml").read_text(encoding="utf-8")
    assert text.count("#") == 5
    assert save_mapping(tmp_path / "twice.yaml", again).read_text(encoding="utf-8") == text


def test_what_was_saved_finds_the_same(tmp_path: Path) -> None:
    motion, robot = stick_figure(), humanoid()
    person, anatomy = person_of(motion), anatomy_of(robot)
    mapping = load_mapping(save_mapping(tmp_path / "both.yaml", mapping_of(person, anatomy)))
    again = anatomy_of(robot, points=mapping.points, soles=mapping.sole_of_side)
    assert again.points == anatomy.points
    assert again.feet == anatomy.feet
    assert again.stand == pytest.approx(anatomy.stand, abs=1e-6)
    same = person_of(motion, sources=mapping.sources)
    used = dict(zip(same.names, same.sources, strict=True))
    assert {name: used[name] for name, _ in mapping.person} == dict(mapping.person)
    # another clip with the same names
    longer = person_of(stick_figure(frames=60), sources=mapping.sources)
    assert longer.names == same.names


def test_a_part_of_a_mapping_and_units(tmp_path: Path) -> None:
    path = tmp_path / "part.yaml"
    path.write_text(
        HEAD
        + "person: {left_hand: [], left_wrist: left_hand}\n"
        + "robot:\n  head: {body: head, at: [0, 5 mm, 12 cm]}\n  neck: {body: head}\n"
        + "weights: {left_wrist: 2.5}\n",
        encoding="utf-8",
    )
    mapping = load_mapping(path)
    assert mapping.sources == {"left_hand": None, "left_wrist": ("left_hand",)}
    assert mapping.points["head"].position == (0.0, 0.005, 0.12)
    assert mapping.points["neck"].position == (0.0, 0.0, 0.0)
    assert mapping.weights == (("left_wrist", 2.5),)
    person = person_of(stick_figure(), sources=mapping.sources)
    assert not person.has("left_hand")
    ordinary = person_of(stick_figure())
    assert np.allclose(person.landmark("left_wrist"), ordinary.landmark("left_hand"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("person: {}\n", "starts with 'animato_mapping: 1'"),
        ("animato_mapping: 2\n", "line 1: animato_mapping: must be 1"),
        (HEAD + "robots: {}\n", "line 2: robots: is not known. Did you mean 'robot'"),
        (HEAD + "person: [a]\n", "line 2: person: must be a mapping"),
        (HEAD + "person:\n  left_knie: [a]\n", "line 3: person.left_knie: is not known. Did you mean 'left_knee'"),
        (HEAD + "person:\n  head: [a, [b]]\n", "line 3: person.head: must be names"),
        (HEAD + "robot:\n  head: nose\n", "line 3: robot.head: must be {body: ..., at: ...}"),
        (HEAD + "robot:\n  head: {at: [0, 0, 0]}\n", "line 3: robot.head.body: must be the name of a body"),
        (HEAD + "robot:\n  head: {body: a, at: [0, 0]}\n", "line 3: robot.head.at: must be three lengths"),
        (HEAD + "robot:\n  head: {body: a, at: [0, 0, 3 kg]}\n", "line 3: robot.head.at: "),
        (HEAD + "robot:\n  head: {body: a, to: 1}\n", "line 3: robot.head.to: is not known"),
        (HEAD + "soles:\n  middle: {body: a}\n", "line 3: soles.middle: is not known"),
        (HEAD + "soles:\n  left: {body: a, corners: [[0, 0, 0]]}\n", "line 3: soles.left.corners: must be a list of 3"),
        (HEAD + "weights:\n  head: -1\n", "line 3: weights.head: must be a number of at least 0"),
        (HEAD + "weights:\n  head: much\n", "line 3: weights.head: must be a number"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError) as error:
        load_mapping(path)
    assert said in str(error.value)


def test_mappings_that_contradict_themselves() -> None:
    with pytest.raises(UnknownNameError, match="left_knie"):
        Mapping(person=(("left_knie", ("a",)),))
    with pytest.raises(OptionError, match="stands twice"):
        Mapping(robot=(BodyPoint("head", "a", (0.0, 0.0, 0.0)),) * 2)
    with pytest.raises(OptionError, match="at least 0"):
        Mapping(weights=(("head", float("nan")),))
    with pytest.raises(OptionError, match="yaml"):
        save_mapping("mapping.txt", Mapping())
