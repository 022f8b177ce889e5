"""Limits of jerk after a drawing was made: stopped, asked for again, and left at that when the studio was closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import animato as an
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.drawing import DrawTool
from animato.studio.workers import Inline, Job
from tests.studio_builders import FakePage, ask
from tests.unit.studio.drawing.test_draw_tool import Studio, hello


class Patient(Inline):
    """Long work is done when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.job: Job | None = None

    def start(self, title: str, function: Callable[..., Any], *arguments: Any, **ends: Any) -> Job:
        self.titles.append(title)
        self.job = Job(len(self.titles), title, lambda: None)
        self.finish = lambda: super(Patient, self).start(title, function, *arguments, **ends)
        return self.job

    def stop(self) -> None:
        """As a person does."""
        assert self.job is not None
        self.job.cancel()
        self.job.stopped()


def jerky(workshop: Patient) -> Studio:
    """An arm that has written a word too fast for its limits of jerk, and is being made smoother."""
    studio = Studio("arm6", workshop)
    board = studio.make_ready()["board"]
    studio.draw(*hello(0.8 * board["width"]))
    begun(studio.desk, workshop, 1)
    return studio


def begun(desk: Desk, workshop: Patient, count: int) -> None:
    while len(workshop.titles) < count:
        time.sleep(0.01)
        desk.run_due()


def remark_of(desk: Desk) -> str:
    take = desk.document.open_take
    assert take is not None
    return take.remark


def test_what_was_stopped_is_said_and_can_be_had_again() -> None:
    workshop = Patient()
    studio = jerky(workshop)
    assert remark_of(studio.desk).endswith("too.")
    workshop.stop()
    assert "was stopped" in remark_of(studio.desk) and not studio.tool.busy
    before = studio.clip
    assert "error" not in studio.ask("draw.smooth")
    assert "being made smoother" in remark_of(studio.desk)
    begun(studio.desk, workshop, 2)
    workshop.finish()
    assert studio.clip is not before
    assert an.check(studio.desk.document.character, studio.clip).outcome.usable
    assert "jerk" not in remark_of(studio.desk)


def test_who_did_not_want_it_can_want_it_later() -> None:
    workshop = Patient()
    studio = jerky(workshop)
    studio.ask("draw.option", name="jerk", value=False)
    assert not studio.tool.busy
    studio.ask("draw.smooth")
    assert studio.drawn.wishes.jerk and studio.tool.busy


def test_a_studio_that_was_closed_meanwhile_goes_on_with_it() -> None:
    studio = jerky(Patient())
    (take,) = studio.desk.document.takes
    workshop = Patient()
    desk = Desk(Document(studio.desk.document.character, "arm6", (take,), take.name))
    desk.equip([DrawTool(desk, workshop)])
    page = FakePage()
    desk.join(page)
    begun(desk, workshop, 1)
    workshop.finish()
    again = desk.document.open_take
    assert again is not None and again.clip is not None
    assert an.check(desk.document.character, again.clip).outcome.usable
    desk.join(FakePage("two"))
    desk.run_due()
    assert len(workshop.titles) == 1  # once is enough


def test_without_a_drawing_it_says_so() -> None:
    desk = Desk(Document(an.load_character("arm6"), "arm6"))
    desk.equip([DrawTool(desk, Inline())])
    assert "No drawing is open" in ask(desk, FakePage(), "draw.smooth")["error"]
