"""Where a design is worked out: what was asked for last, what was found so far, and what is still on its way."""

from __future__ import annotations

from collections.abc import Callable

from animato.character import Character
from animato.design import TargetMotion
from animato.studio.designing.asking import asked_motion, request_of
from animato.studio.designing.found import Found
from animato.studio.designing.solving import Request, find, find_roughly, start_of
from animato.studio.designing.targets import Targets
from animato.studio.designing.wish import Wish
from animato.studio.workers import Job, Workshop

_LANE = "design"
_LONG = 4000  # steps times bodies from which a solve takes a second or more, and is a job with progress
_STOPPED = "It was stopped before it was done; what was found before is shown."


class Workbench:
    """Solves in the workshop and keeps the newest of what comes back.

    Attributes:
        targets: Target paths as they are before handles bend them; None while there are none.
        found: The newest that was found for them.
        working: Whether something better is on its way.
        words: What went wrong last, in a sentence; "" where nothing did.
    """

    def __init__(self, workshop: Workshop, news: Callable[[], object]) -> None:
        """Empty.

        Args:
            workshop: Does the work.
            news: Is called when something was found or went wrong.
        """
        self.targets: Targets | None = None
        self.found: Found | None = None
        self.working, self.words = False, ""
        self._workshop, self._news = workshop, news
        self._number, self._oldest = 0, 0
        self._job: Job | None = None

    def wholly(self, character: Character, wish: Wish) -> None:
        """Works out the best mechanism, from the start.

        Args:
            character: As it is.
            wish: What is asked for.
        """
        if self.targets is None:
            return
        self.cancel()
        request = self._request(self.targets, character, wish)
        self.working, self.words = True, ""
        self._news()
        bodies = len(character.bodies) + 2 * len(wish.freed)
        if request.motion.step_count * bodies < _LONG:
            self._workshop.quickly(_LANE, find, request, then=self._take, failed=self.failed)
        else:
            title = "working out the mechanism"
            self._job = self._workshop.start(title, find, request, then=self._take, failed=self.failed)
            self._job.stopped = self.stopped
            if self._job.over:
                self._job = None

    def roughly(self, character: Character, wish: Wish) -> None:
        """Follows targets that are being dragged, from what was found last."""
        last = self.found
        if self.targets is None or last is None or not last.usable:
            self.wholly(character, wish)
            return
        self.cancel()  # what it was working out is of yesterday
        request = self._request(self.targets, character, wish)
        start = start_of(last, request.motion.step_count)
        self._workshop.quickly(_LANE, find_roughly, request, start, then=self._take, failed=self.failed)

    def motion(self, wish: Wish) -> TargetMotion | None:
        """The targets as handles bend them, weighted; None where there are none."""
        return None if self.targets is None else asked_motion(self.targets, wish)

    def forget(self) -> None:
        """What was found, and what is on its way, is of another mechanism or of other targets."""
        self.found, self._oldest = None, self._number
        self.cancel()

    def cancel(self) -> None:
        """Ends a long solve."""
        if self._job is not None and not self._job.over:
            self._job.cancel()
        self._job = None

    def failed(self, words: str) -> None:
        """Nothing came out."""
        self.working, self.words, self._job = False, words, None
        self._news()

    def stopped(self) -> None:
        """A person did not want to wait."""
        self.failed(_STOPPED)

    def _request(self, targets: Targets, character: Character, wish: Wish) -> Request:
        self._number += 1
        return request_of(targets, character, wish, self._number)

    def _take(self, found: Found) -> None:
        if found.number <= self._oldest:
            return
        if found.number == self._number:
            self.working = False
        if self.found is not None and found.number < self.found.number:
            return
        self.found, self.words = found, ""
        self._news()
