"""Whole takes: begun, brought in, copied, named, put in order, deleted; each can be undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.formats import load_character
from animato.loading import load_clip, save
from animato.motion import Clip, Posture
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.keys import Keyed
from animato.studio.project import TakesTool
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, ask, document_of, take_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    document = document_of()
    for name in ("one", "two", "three"):
        document = document.with_take(take_of(document, name), opened=name == "one")
    desk = Desk(document, folder=tmp_path)
    desk.equip([TakesTool(desk, Inline())])
    return desk


def names(desk: Desk) -> list[str]:
    return [one.name for one in desk.document.takes]


def test_opening(desk: Desk) -> None:
    page = FakePage()
    ask(desk, page, "take.open", take="two")
    assert desk.document.current == "two"
    assert "Did you mean 'two'" in ask(desk, page, "take.open", take="tow")["error"]
    ask(desk, page, "undo")
    assert desk.document.current == "one"


def test_a_new_take_holds_the_pose_that_was_asked_for(desk: Desk) -> None:
    page, lamp = FakePage(), desk.document.character
    count = len(lamp.coordinate_names)
    told = ask(desk, page, "take.new", seconds=2, pose=[0.1] * count)
    take = desk.document.open_take
    assert take is not None and take.name == told["take"] == "take 4"
    assert take.clip is not None and take.clip.duration == 2.0 and np.all(take.clip.positions == 0.1)
    ask(desk, page, "take.new", pose={lamp.coordinate_names[0]: 0.2}, name="turned")
    turned = desk.document.take("turned").clip
    assert turned is not None and turned.positions[0, 0] == 0.2
    desk.edit("kept", desk.document.with_posture("proud", Posture(lamp.coordinate_names[:1], np.array([0.3]))))
    ask(desk, page, "take.new", posture="proud", name="proud")
    proud = desk.document.take("proud").clip
    assert proud is not None and proud.positions[0, 0] == 0.3
    for wrong in (
        {"seconds": 0},
        {"seconds": 1e9},
        {"posture": "?"},
        {"pose": {"nose": 1}},
        {"pose": [1]},
        {"pose": 3},
    ):
        before = desk.document
        assert "error" in ask(desk, page, "take.new", **wrong) and desk.document is before


def test_clips_come_in(desk: Desk, tmp_path: Path) -> None:
    page, lamp = FakePage(), desk.document.character
    ask(desk, page, "take.import", clip="lamp_look")
    take = desk.document.open_take
    assert take is not None and take.name == "lamp_look" and isinstance(take.source, Keyed)
    clip = load_clip("lamp_look", lamp)
    (tmp_path / "captures").mkdir()
    for suffix in (".csv", ".npz"):
        save(tmp_path / "captures" / f"my look{suffix}", clip, lamp)
        assert "error" not in ask(desk, page, "take.import", file=f"captures/my look{suffix}")
        assert desk.document.open_take is not None and desk.document.open_take.clip is not None
        assert desk.document.open_take.clip.same_as(clip)
    assert names(desk)[-2:] == ["my look", "my look 2"]


def test_what_does_not_fit_is_said(desk: Desk, tmp_path: Path) -> None:
    page, lamp = FakePage(), desk.document.character
    (tmp_path / "captures").mkdir()
    strange = Clip(np.array([0.0, 1.0]), ("wing",), np.zeros((2, 1)))
    save(tmp_path / "captures" / "wing.csv", strange)
    ask(desk, page, "take.import", file="captures/wing.csv")
    assert "no joint of 'lamp'" in page.last("toast")["words"]
    joint = lamp.coordinate_names[0]
    both = Clip(np.array([0.0, 1.0]), (joint, "wing"), np.zeros((2, 2)), np.zeros((2, 3)))
    save(tmp_path / "captures" / "both.csv", both)
    ask(desk, page, "take.import", file="captures/both.csv")
    take = desk.document.open_take
    assert take is not None and take.clip is not None and take.clip.names == (joint,) and not take.clip.has_base
    assert "1 of 2 columns" in take.remark and "root" in take.remark
    for file in ("captures/none.csv", "../secret.csv", "/etc/passwd"):
        assert "error" in ask(desk, page, "take.import", file=file)


def test_copies_names_order_and_deleting(desk: Desk) -> None:
    page = FakePage()
    ask(desk, page, "take.copy", take="one")
    assert names(desk) == ["one", "one copy", "two", "three"] and desk.document.current == "one copy"
    assert ask(desk, page, "take.rename", take="one copy", name="TWO")["take"] == "TWO 2"
    ask(desk, page, "take.order", takes=["three", "two", "TWO 2", "one"])
    assert names(desk) == ["three", "two", "TWO 2", "one"]
    assert "error" in ask(desk, page, "take.order", takes=["three"])
    assert "error" in ask(desk, page, "take.order", takes=["three", "two", "TWO 2", {}])
    ask(desk, page, "take.delete", take="TWO 2")
    assert names(desk) == ["three", "two", "one"] and desk.document.current == "one"
    for _ in range(4):
        ask(desk, page, "undo")
    assert names(desk) == ["one", "two", "three"] and desk.document.current == "one"


def test_the_last_take_can_be_deleted(desk: Desk) -> None:
    page = FakePage()
    for name in names(desk):
        ask(desk, page, "take.delete", take=name)
    assert desk.document.takes == () and desk.document.current == ""
    assert "error" not in ask(desk, page, "take.new")


def test_what_was_read_for_another_character_is_left(desk: Desk) -> None:
    tool = desk.tools["take"]
    assert isinstance(tool, TakesTool)
    clip = load_clip("lamp_look", desk.document.character)
    asked = desk.document
    desk.edit("another character", Document(load_character("rod"), "rod"))
    tool._bring("late", asked, clip, "")
    assert desk.document.takes == ()
