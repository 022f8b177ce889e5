"""The tool that tells pages what is being worked on, and ends it where they ask for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from animato.errors import OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.workers.workshop import Workshop

_PERIOD_S = 0.1  # between two messages about jobs: more often nobody can read


class JobTool(Tool):
    """Shows long pieces of work.

    Attributes:
        name: Of the tool.
    """

    name = "job"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Listens to a workshop."""
        self._desk, self._workshop = desk, workshop
        self._waits, self._news = False, False
        workshop.on_jobs(self._changed, lambda words: desk.tell("toast", {"words": words, "kind": "bad"}))

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"job.cancel": self._cancel}

    def state(self) -> Mapping[str, Any]:
        """What runs and waits."""
        return {"jobs": [job.for_page() for job in self._workshop.jobs]}

    def close(self) -> None:
        """Ends all work."""
        self._workshop.close()

    def _cancel(self, page: Page, fields: Fields) -> None:
        number = fields.whole("job")  # a message's own `id` is the number of the question
        for job in self._workshop.jobs:
            if job.number == number:
                job.cancel()
                job.stopped()
                return
        raise OptionError("That work has ended already.")

    def _changed(self) -> None:
        if self._waits:
            self._news = True
            return
        self._waits, self._news = True, False
        self._desk.tell("jobs", self.state(), newest_of="jobs")
        self._desk.later(_PERIOD_S, self._again)

    def _again(self) -> None:
        self._waits = False
        if self._news:
            self._changed()
