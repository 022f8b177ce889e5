"""Work that a person stops."""

from __future__ import annotations

import pytest

from animato.studio.designing.workbench import Workbench
from animato.studio.desk import Desk
from animato.studio.workers import Inline, Job, JobTool
from tests.studio_builders import FakePage, ask, document_of


class Waiting(Inline):
    """A workshop in which one job waits."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[str] = []
        self.job = Job(7, "working", lambda: self.ended.append("cancelled"))

    @property
    def jobs(self) -> tuple[Job, ...]:
        return () if self.ended else (self.job,)


@pytest.fixture
def shop() -> Waiting:
    return Waiting()


def test_the_tool_that_asked_for_it_is_told(shop: Waiting) -> None:
    desk, page = Desk(document_of()), FakePage()
    desk.equip([JobTool(desk, shop)])
    shop.job.stopped = lambda: shop.ended.append("told")
    assert "error" not in ask(desk, page, "job.cancel", job=7)
    assert shop.ended == ["cancelled", "told"]
    assert "ended already" in ask(desk, page, "job.cancel", job=7)["error"]


def test_a_design_that_was_stopped_is_not_worked_on_any_more(shop: Waiting) -> None:
    bench = Workbench(shop, lambda: None)
    bench.working = True
    bench.stopped()
    assert not bench.working
    assert "stopped" in bench.words
