"""What pages are told of the character, its motion and its limits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

import animato as an
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Keep, Read, Take
from animato.studio.watching import WatchTool
from animato.studio.workers import Inline
from tests.studio_builders import FakePage


class Made:
    """A source of nothing in particular."""

    kind: ClassVar[str] = "made"

    def for_file(self, keep: Keep) -> dict[str, Any]:
        return {"kind": self.kind}

    def for_page(self) -> dict[str, Any]:
        return {"kind": self.kind}

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Made:
        return cls()


@pytest.fixture
def desk() -> Desk:
    lamp = an.load_character("lamp")
    take = Take("look", Made(), an.load_clip("lamp_look", lamp))
    desk = Desk(Document(lamp, "lamp", (take,), "look"))
    desk.equip([WatchTool(desk, Inline())])
    return desk


@pytest.fixture
def page(desk: Desk) -> FakePage:
    page = FakePage()
    desk.join(page)
    desk.run_due()
    return page


def test_a_page_that_comes_is_shown_all_there_is(desk: Desk, page: FakePage) -> None:
    lamp = desk.document.character
    (scene,), (main, ghost), (usage,) = page.told("scene"), page.told("motion"), page.told("usage")
    assert scene["bodies"] == [body.name for body in lamp.bodies]
    assert scene["coordinates"] == list(lamp.coordinate_names)
    assert [one["name"] for one in scene["joints"]] == [one.name for one in lamp.free_joints]
    clip = desk.document.takes[0].clip
    assert clip is not None
    assert (main["figure"], main["take"], main["frames"]) == ("main", "look", clip.frame_count)
    assert main["positions"].shape == (clip.frame_count, len(lamp.bodies), 3)
    assert main["quaternions"].shape == (clip.frame_count, len(lamp.bodies), 4)
    assert main["coordinates"].shape == (clip.frame_count, len(lamp.coordinate_names))
    assert (ghost["figure"], ghost["frames"]) == ("ghost", 0)
    assert usage["shares"].shape == (5, len(lamp.coordinate_names), 600)
    assert usage["current"] is True


def test_shares_keep_the_worst_of_the_check(desk: Desk, page: FakePage) -> None:
    clip = desk.document.takes[0].clip
    assert clip is not None
    result = an.check(desk.document.character, clip)
    (usage,) = page.told("usage")
    assert np.nanmax(usage["shares"]) == pytest.approx(max(one.share for one in result.worst), rel=1e-6)
    assert len([one for one in usage["findings"] if one["over"]]) == len(result.findings)
    assert usage["outcome"]["usable"] is result.outcome.usable


def test_only_what_changed_is_sent(desk: Desk, page: FakePage) -> None:
    count = len(page.sent)
    desk.edit("nothing", replace(desk.document))
    assert [one["say"] for one in page.sent[count:]] == ["document"]
    take = desk.document.takes[0]
    assert take.motion is not None
    desk.edit_take("made performable", take.performed_by("fix", take.motion.part(slice(None, None, 2))))
    said = [(one["say"], one.get("figure")) for one in page.sent[count + 1 :]]
    assert said == [("document", None), ("motion", "main"), ("usage", None), ("motion", "ghost")]
    assert page.sent[-1]["frames"] == take.motion.frame_count


def test_the_whole_verdict_comes_after_the_numbers(desk: Desk, page: FakePage) -> None:
    take = desk.document.takes[0]
    assert take.motion is not None
    fast = Clip(take.motion.times / 4.0, take.motion.names, take.motion.positions)
    desk.edit_take("made quicker", take.made_anew(take.source, fast))
    while not page.told("words"):
        time.sleep(0.02)
        desk.run_due()
    words, usage = page.told("words")[-1], page.told("usage")[-1]
    assert usage["outcome"]["words"] == an.check(desk.document.character, fast).outcome.reason
    assert "speed" in words["words"]
    assert words["suggestions"]
    desk.answer(page, json.dumps({"do": "watch.words", "id": 1}))
    assert page.sent[-1]["outcome"]["words"] == words["words"]


def test_another_take_can_be_the_ghost(desk: Desk, page: FakePage) -> None:
    lamp = desk.document.character
    still = Clip(np.array([0.0, 1.0]), lamp.coordinate_names, np.zeros((2, len(lamp.coordinate_names))))
    desk.edit("added", desk.document.with_take(Take("still", Made(), still), opened=False))
    desk.answer(page, json.dumps({"do": "watch.compare", "id": 1, "take": "still"}))
    ghost = page.told("motion")[-1]
    assert (ghost["figure"], ghost["take"], ghost["frames"]) == ("ghost", "still", 2)
    desk.answer(page, json.dumps({"do": "watch.compare", "id": 2, "take": "nobody"}))
    assert "nobody" in page.sent[-1]["error"]


def test_a_clip_of_another_robot_is_told_of(desk: Desk, page: FakePage) -> None:
    wrong = Clip(np.array([0.0, 1.0]), ("nose",), np.zeros((2, 1)))
    desk.edit_take("wrong", Take("wrong", Made(), wrong))
    assert page.told("motion")[-1]["frames"] == 0
    assert "nose" in page.told("toast")[-1]["words"]
    assert "nose" in page.told("usage")[-1]["outcome"]["words"]


class Busy(Inline):
    """Has no time for some checks.

    Attributes:
        refuses: How many of the next ones.
        refused: How many of them were asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refuses = self.refused = 0

    def quickly(self, lane: str, function: Callable[..., Any], *arguments: Any, **then: Any) -> None:
        if lane == "watch check" and self.refused < self.refuses:
            self.refused += 1
            then["failed"]("This took too long.")
        else:
            super().quickly(lane, function, *arguments, **then)


@pytest.mark.parametrize(("refuses", "last"), [(1, "solved"), (9, "unknown")])
def test_a_check_that_failed_is_tried_once_more(
    desk: Desk, refuses: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("animato.studio.watching.watch_tool._AGAIN_S", 0.0)
    workshop, page, busy = Busy(), FakePage(), Desk(desk.document)
    busy.equip([WatchTool(busy, workshop)])
    busy.join(page)
    busy.run_due()
    workshop.refuses, count = refuses, len(page.told("usage"))
    take = busy.document.takes[0]
    assert take.motion is not None
    busy.edit_take("other frames", take.made_anew(take.source, take.motion.part(slice(None, None, 2))))
    for _ in range(5):
        busy.run_due()
    assert [one["outcome"]["status"] for one in page.told("usage")[count:]] == ["unknown", last]
    assert workshop.refused == min(refuses, 2)


def test_no_take_no_motion(desk: Desk, page: FakePage) -> None:
    desk.edit("removed", desk.document.without_take("look"))
    assert page.told("motion")[-1]["frames"] == 0
    assert page.told("usage")[-1]["shares"].size == 0


def test_what_floats_stands_on_the_floor() -> None:
    pico = an.load_character("pico")
    desk = Desk(Document(pico, "pico", (Take("hello", Made(), an.load_clip("pico_hello", pico)),), "hello"))
    desk.equip([WatchTool(desk, Inline())])
    page = FakePage()
    desk.join(page)
    desk.run_due()
    (scene,), (usage,) = page.told("scene"), page.told("usage")
    assert scene["floor"][0] == 0.0
    assert usage["balance"]["outlines"][0][0] == 0.0
    assert usage["zmp"].shape == (len(usage["zmp_times"]), 2)


@pytest.mark.parametrize("says_where", [True, False])
def test_feet_are_drawn_where_they_are_seen(says_where: bool) -> None:
    pico = an.load_character("pico")
    clip = an.load_clip("pico_hello", pico)
    if not says_where:
        clip = Clip(clip.times, clip.names, clip.positions)
    desk = Desk(Document(pico, "pico", (Take("hello", Made(), clip),), "hello"))
    desk.equip([WatchTool(desk, Inline())])
    page = FakePage()
    desk.join(page)
    desk.run_due()
    (usage,), (motion,) = page.told("usage"), page.told("motion")[:1]
    names = [body.name for body in pico.bodies]
    feet = motion["positions"][0, [names.index(sole.body) for sole in pico.soles]]
    assert abs(usage["balance"]["height"]) < 0.01  # 0 is the floor
    outline = np.array(usage["balance"]["outlines"][0][1:]).reshape(-1, 2)
    assert np.all(feet[:, :2] > outline.min(axis=0))
    assert np.all(feet[:, :2] < outline.max(axis=0))
