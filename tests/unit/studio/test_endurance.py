"""A desk with all tools, worked at for long: nothing holds it up, nothing goes on that nobody looks at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from animato.studio.desk import Desk
from animato.studio.opening import all_tools
from animato.studio.project import Keeper, new_document
from animato.studio.workers import Inline
from tests.studio_builders import FakePage, ask

LONGEST_S = 0.3  # of the processor; letting go of a body may take 0.1 s by itself, all else some hundredths


class Studio:
    """All tools, and pages that come and go."""

    def __init__(self, folder: Path) -> None:
        self.keeper = Keeper(folder)
        self.desk = Desk(new_document("pico"), None, self.keeper.folder)
        self.desk.equip(all_tools(self.desk, Quiet(), self.keeper))
        self.page = self.come("one")
        self.desk.tools["pose"].wait()  # type: ignore[attr-defined]
        self.desk.run_due()

    def come(self, name: str) -> FakePage:
        page = FakePage(name)
        self.desk.join(page)
        self.desk.run_due()
        return page

    def timers(self) -> list[str]:
        """What is done again and again."""
        timers = [timer for _, _, timer in self.desk._errands._timers]
        return [getattr(one.errand, "__qualname__", "?") for one in timers if one.period > 0.0 and not one.cancelled]


class Quiet(Inline):
    """A workshop that takes everything and gives nothing: what the desk itself does is looked at."""

    def quickly(self, *_: object, **__: object) -> None: ...


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    made = Studio(tmp_path_factory.mktemp("project"))
    yield made
    made.desk.close()
    made.desk.run_due()
    made.keeper.close()


def test_no_message_of_a_hand_holds_up_the_desk(studio: Studio) -> None:
    desk, page = studio.desk, studio.page
    joint = desk.document.character.coordinate_names[0]
    hand = len(desk.document.character.bodies) - 1
    longest: dict[str, float] = {}

    def told(do: str, **fields: object) -> None:
        begin = time.thread_time()
        answer = ask(desk, page, do, **fields)
        desk.run_due()
        longest[do] = max(longest.get(do, 0.0), time.thread_time() - begin)
        assert "error" not in answer, answer

    for warm in (True, False):  # what is compiled is loaded at the first time
        for n in range(3 if warm else 40):
            gesture = f"{warm}-{n // 10}"
            told("pose.drag", body=hand, target=[0.1 + 0.01 * n, 0.2, 0.4], time=0.5, gesture=gesture)
            told("key.set", time=0.1 * (n % 30), pose={joint: 0.01 * n}, gesture=gesture)
        told("pose.done", key=True, time=0.5)
        told("take.copy", take=desk.document.current)
        told("undo")
        told("redo")
        if warm:
            longest.clear()
    assert max(longest.values()) < LONGEST_S, longest


def test_nothing_goes_on_when_everybody_has_left(studio: Studio) -> None:
    desk = studio.desk
    at_rest = studio.timers()
    artist = studio.come("artist")
    ask(desk, artist, "face.start")
    desk.tools["face"].wait()  # type: ignore[attr-defined]
    desk.run_due()
    ask(desk, artist, "draw.begin", t=0.0)
    ask(desk, artist, "draw.add", samples=[[0.01 * n, 0.0, 0.01 * n, 0.5] for n in range(10)])
    ask(desk, artist, "pose.drag", body=0, target=[9.0, 9.0, 9.0], gesture="g")
    assert len(studio.timers()) > len(at_rest)
    for page in (artist, studio.page):
        desk.leave(page)
    desk.run_due()
    assert studio.timers() == at_rest == []
    back = studio.come("back")
    assert back.last("hello")["tools"]["face"]["on"] is False
    assert not [one for one in back.told("pose") if not np.isfinite(one["poses"]).all()]
