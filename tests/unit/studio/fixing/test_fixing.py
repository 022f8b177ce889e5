"""Takes are made performable and joined, and what came out is put where it belongs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import animato as an
from animato.motion import Clip
from animato.studio.desk import Desk
from animato.studio.document import Document, Take
from animato.studio.fixing import FixTool, JoinTool
from animato.studio.keys import Keyed
from animato.studio.workers import Inline, Job
from tests.studio_builders import FakePage


class Later(Inline):
    """Does its work when it is told to."""

    def start(self, title: str, function: Callable[..., Any], *arguments: Any, then: Any, failed: Any = None) -> Job:
        self.work: Callable[[], Job] = lambda: Inline.start(self, title, function, *arguments, then=then, failed=failed)
        return Job(1, title, lambda: None)


def lamp_clip(amplitude: float, frames: int = 51) -> Clip:
    times = np.linspace(0.0, 2.0, frames)
    swing = np.sin(np.pi * times)[:, None] ** 3
    return Clip(times, ("shoulder", "turn"), swing * (amplitude, 0.1), source="a swing")


def desk_with(workshop: Inline, *clips: Clip) -> tuple[Desk, FakePage]:
    lamp = an.load_character("lamp")
    takes = tuple(Take(f"swing {n}", Keyed.of(clip), clip) for n, clip in enumerate(clips))
    desk, page = Desk(Document(lamp, "lamp", takes, takes[0].name)), FakePage()
    desk.equip([FixTool(desk, workshop), JoinTool(desk, workshop)])
    desk.join(page)
    desk.run_due()
    return desk, page


def ask(desk: Desk, page: FakePage, do: str, **fields: Any) -> dict[str, Any]:
    desk.answer(page, json.dumps({"do": do, "id": 1, **fields}))
    return next(one for one in reversed(page.sent) if one.get("re") == 1)


@pytest.fixture(scope="module")
def too_much() -> Clip:
    lamp = an.load_character("lamp")
    upper = lamp.joint("shoulder").limits[0].range[1]
    return lamp_clip(1.1 * upper)


def test_a_take_is_made_performable_and_that_is_undone_in_one_step(too_much: Clip) -> None:
    desk, page = desk_with(Inline(), too_much)
    assert not an.check(desk.document.character, too_much).outcome.usable
    assert "error" not in ask(desk, page, "fix.make")
    take = desk.document.takes[0]
    assert take.verb == "fix"
    assert take.motion is too_much
    assert take.performed is not None
    assert an.check(desk.document.character, take.performed).outcome.usable
    assert take.remark.startswith("Every limit holds.")
    assert "differs by" in take.remark
    ask(desk, page, "undo")
    assert desk.document.takes[0].performed is None
    ask(desk, page, "redo")
    ask(desk, page, "fix.drop")
    assert desk.document.takes[0].clip is too_much


def test_a_take_that_changed_meanwhile_keeps_its_change(too_much: Clip) -> None:
    workshop = Later()
    desk, page = desk_with(workshop, too_much)
    ask(desk, page, "fix.make")
    other = lamp_clip(0.1)
    desk.edit_take("edited", desk.document.takes[0].made_anew(Keyed.of(other), other))
    workshop.work()
    first, second = desk.document.takes
    assert first.motion is other
    assert first.performed is None
    assert second.name == "swing 0 made performable"
    assert desk.document.current == "swing 0"
    assert "has changed meanwhile" in page.toasts()[-1]


def test_wishes_are_kept_and_checked(too_much: Clip) -> None:
    desk, page = desk_with(Inline(), too_much)
    ask(desk, page, "fix.set", time=0.5, start="rest", protect=["shoulder:0-0.1"], balance=False)
    assert desk.document.settings["fix"]["time"] == 0.5
    assert "error" in ask(desk, page, "fix.set", time=2.0)
    assert "error" in ask(desk, page, "fix.set", start="upside down")
    assert "error" in ask(desk, page, "fix.set", protect="shoulder")
    assert desk.document.settings["fix"]["time"] == 0.5


def test_what_cannot_be_is_said(too_much: Clip) -> None:
    desk, page = desk_with(Inline(), too_much)
    ask(desk, page, "fix.make", options={"protect": ["shoulder"]})
    assert desk.document.takes[0].performed is None
    assert page.toasts()[-1].startswith("No motion was found within all limits")
    assert desk.document.takes[0].remark == page.toasts()[-1]


def test_takes_are_joined_into_another_one() -> None:
    desk, page = desk_with(Inline(), lamp_clip(0.3), lamp_clip(-0.3))
    assert "error" not in ask(desk, page, "join.make", takes=["swing 0", "swing 1"])
    joined = desk.document.open_take
    assert joined is not None
    assert joined.name == "swing 0 + swing 1"
    assert joined.clip is not None
    assert joined.clip.duration > 4.0
    assert "error" in ask(desk, page, "join.make", takes=["swing 0"])
    assert "nobody" in ask(desk, page, "join.make", takes=["swing 0", "nobody"])["error"]
