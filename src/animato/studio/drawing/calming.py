"""Limits of jerk, kept after the first performance of a drawing was shown: that takes seconds."""

from __future__ import annotations

from collections.abc import Callable

from animato.motion import Clip, Posture
from animato.studio.desk import Desk
from animato.studio.document import Take
from animato.studio.drawing.lines import Drawn
from animato.studio.drawing.performing import Performed, smoothed
from animato.studio.workers import Job, Workshop

SMOOTHING = " It is being made smoother, so that jerk stays inside its limits, too."
"""How the remark of a drawing ends until it is smooth; where a project that is opened says so, work was cut short."""

_WAIT_S = 0.4  # in which nothing else is drawn or changed
_STOPPED = "Limits of jerk do not hold: making it smoother was stopped. Press 'Make it smooth' to have it done."


class Calming:
    """Works on one drawing at a time, in the background; a newer one takes its place."""

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Without work."""
        self._desk, self._workshop = desk, workshop
        self._asked: Take | None = None
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether it works or will soon."""
        return self._asked is not None

    def begin(self, asked: Take, start: Posture | None, ended: Callable[[], object]) -> None:
        """Makes a take smoother, soon.

        Args:
            asked: With a motion that is beyond limits of jerk.
            start: Posture near which its motion is sought.
            ended: Called when it is smooth, or cannot be; not where it is left.
        """
        self.leave()
        self._asked = asked
        self._desk.later(_WAIT_S, lambda: self._work(asked, start, ended))

    def leave(self) -> None:
        """Leaves it."""
        if self._job is not None and not self._job.over:
            self._job.cancel()
        self._job = self._asked = None

    def _work(self, asked: Take, start: Posture | None, ended: Callable[[], object]) -> None:
        if self._asked is not asked:
            return  # something else was drawn meanwhile
        source = asked.source
        assert isinstance(source, Drawn)

        def end(motion: Clip | None, words: str) -> None:
            if self._asked is asked:
                self._asked = None
            ended()
            self._desk.amend_take(asked, asked.made_anew(source, motion, words))

        def then(result: Performed) -> None:
            if result.clip is not None and not result.jerky:
                end(result.clip, result.words)
            else:
                end(asked.motion, f"Limits of jerk do not hold: {result.words} Try to draw it slower.")

        def failed(words: str) -> None:
            then(Performed(None, words, False))

        character = self._desk.document.character
        title = f"making '{asked.name}' smoother"
        self._job = self._workshop.start(title, smoothed, character, source, start, then=then, failed=failed)
        self._job.stopped = lambda: end(asked.motion, _STOPPED)
