"""A workshop that does everything at once, in the caller's thread: for tests and small programs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from animato.errors import AnimatoError
from animato.studio.workers.workshop import Failed, Job, Then


class Inline:
    """Does work where it stands; `then` or `failed` has been called when a call is back.

    Errors that are not of animato's family are raised, so that tests see them.
    """

    def __init__(self) -> None:
        """Without work."""
        self._numbers = itertools.count(1)
        self._jobs: list[Job] = []
        self._told: Callable[[], object] = lambda: None
        self._trouble: Failed = lambda _: None

    @property
    def jobs(self) -> tuple[Job, ...]:
        """What runs."""
        return tuple(self._jobs)

    def start(
        self, title: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> Job:
        """Does it now; see `Workshop.start`."""
        job = Job(next(self._numbers), title, lambda: None)
        self._jobs.append(job)
        self._told()
        try:
            result = function(*arguments, progress=job.note)
        except AnimatoError as error:
            self._end(job)
            (failed or self._trouble)(str(error))
            return job
        self._end(job)
        then(result)
        return job

    def quickly(
        self, lane: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> None:
        """Does it now; see `Workshop.quickly`."""
        try:
            result = function(*arguments)
        except AnimatoError as error:
            if failed is not None:
                failed(str(error))
            return
        then(result)

    def on_jobs(self, told: Callable[[], object], trouble: Failed) -> None:
        """See `Workshop.on_jobs`."""
        self._told, self._trouble = told, trouble

    def close(self) -> None:
        """There is nothing to end."""

    def _end(self, job: Job) -> None:
        job.over = True
        self._jobs.remove(job)
        self._told()
