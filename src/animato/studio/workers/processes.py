"""The workshop of the studio: two warm processes for what is quick, one for what takes long."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from animato.errors import OptionError
from animato.studio.desk import Desk
from animato.studio.workers.helper import ENDED, Helper
from animato.studio.workers.workshop import Failed, Job, Then

READY, PROGRESS, DONE, FAILED = "ready", "progress", "done", "failed"  # as in worker.py, which only processes import
_AT_HAND = {
    "watch": ("animato.studio.watching",),
    "quick": ("animato.studio.drawing", "animato.studio.posing"),
    "long": ("animato.studio.fixing", "animato.fix.solving"),
}
_LONGEST_S = 20.0  # of a quick call whose function has been used before
_LONGEST_FIRST_S = 600.0  # the first one may compile
_LEAVES_S = 0.5  # until a process that does not leave a cancelled call is ended
_NICE = 5
_WATCH = "watch"
_MOST_FALSE_STARTS = 3
_MOST_WAITING = 50  # long ones; each holds on to the motions it is about
_TOO_LONG = f"This took more than {_LONGEST_S:.0f} s and was ended; the studio goes on."
_CRASHED = "The process that worked on this has ended unexpectedly; the studio goes on. Try again, or a shorter motion."
_NO_START = "The studio's processes do not start; what they say is in the terminal in which the studio was started."


@dataclass(frozen=True, eq=False)
class _Call:
    number: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    then: Then
    failed: Failed | None
    job: Job | None = None

    @property
    def name(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


class _Bench:
    """A process and the call that it works on."""

    def __init__(self, start: Callable[[], Helper]) -> None:
        self._start = start
        self.helper: Helper | None = None
        self.call: _Call | None = None
        self.used: set[str] = set()
        self.false_starts = 0
        self._since = 0.0
        self._closed = False

    @property
    def given_up(self) -> bool:
        """Whether none of its processes ever got to work."""
        return self.false_starts >= _MOST_FALSE_STARTS

    def warm(self) -> Helper | None:
        """Its process; starts it where there is none yet."""
        if self.helper is None and not self.given_up and not self._closed:
            self.helper = self._start()
        return self.helper

    def begin(self, call: _Call) -> None:
        helper = self.warm()
        assert helper is not None
        helper.call(call.number, call.function, call.arguments, tells=call.job is not None)
        self.call, self._since = call, time.monotonic()  # what cannot be sent has raised

    @property
    def seconds(self) -> float:
        """How long it has been working on its call [s]; its own start does not count."""
        return time.monotonic() - self._since if self.helper is not None and self.helper.ready else 0.0

    def is_ready(self) -> None:
        """Its process has started."""
        if self.helper is not None:
            self.helper.ready, self._since = True, time.monotonic()

    def restart(self, *, by_itself: bool = False) -> None:
        """Another process in the place of this one, unless none of them ever gets to work.

        Args:
            by_itself: Whether the process has ended by itself; one that is ended while it starts has done no wrong.
        """
        if self.helper is not None:
            self.false_starts = 0 if self.helper.ready else self.false_starts + by_itself
            self.helper.kill()
        self.helper, self.call = None, None
        self.warm()

    def close(self) -> None:
        self._closed = True
        if self.helper is not None:
            self.helper.kill()
        self.helper, self.call = None, None


class Processes:
    """Does work in processes; see `Workshop`. They start with it, so that they are warm when they are needed.

    Lanes whose names begin with "watch" have a process of their own: nobody who draws waits for a check.
    """

    def __init__(self, desk: Desk, at_hand: Mapping[str, Sequence[str]] = _AT_HAND) -> None:
        """Starts three processes, each when the one before it is ready: all together would hold up the first check.

        Args:
            desk: In whose thread everything is brought back.
            at_hand: Modules that each process ("watch", "quick", "long") imports before its first call.
        """
        self._desk = desk
        self._numbers = itertools.count(1)
        self._quick = _Bench(lambda: Helper(self._heard, modules=at_hand.get("quick", ())))
        self._watch = _Bench(lambda: Helper(self._heard, modules=at_hand.get("watch", ())))
        self._long = _Bench(lambda: Helper(self._heard, nice=_NICE, modules=at_hand.get("long", ())))
        self._lanes: dict[str, _Call] = {}  # what waits, in order
        self._waiting: list[_Call] = []  # long ones
        self._told: Callable[[], object] = lambda: None
        self._trouble: Failed = lambda _: None
        self._closed = False
        self._watch.warm()
        self._timer = desk.every(1.0, self._end_what_hangs)

    # --- What it is asked for -----------------------------------------------------------------------------------------
    @property
    def jobs(self) -> tuple[Job, ...]:
        """What runs, then what waits."""
        running = () if self._long.call is None else (self._long.call,)
        return tuple(call.job for call in (*running, *self._waiting) if call.job is not None)

    def start(
        self, title: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> Job:
        """See `Workshop.start`; one works at a time, the others wait in order."""
        if len(self._waiting) >= _MOST_WAITING:
            raise OptionError(f"{_MOST_WAITING} pieces of work wait already; let some end, or stop them.")
        number = next(self._numbers)
        job = Job(number, title, lambda: self._cancel(number))
        self._waiting.append(_Call(number, function, arguments, then, failed, job))
        self._go_on()
        self._told()
        return job

    def quickly(
        self, lane: str, function: Callable[..., Any], *arguments: Any, then: Then, failed: Failed | None = None
    ) -> None:
        """See `Workshop.quickly`."""
        self._lanes[lane] = _Call(next(self._numbers), function, arguments, then, failed)
        self._go_on()

    def on_jobs(self, told: Callable[[], object], trouble: Failed) -> None:
        """See `Workshop.on_jobs`."""
        self._told, self._trouble = told, trouble

    def close(self) -> None:
        """Ends all processes and all work."""
        self._closed = True
        self._timer.cancel()
        self._lanes.clear()
        self._waiting.clear()
        for bench in self._benches:
            bench.close()

    # --- How it goes on, all in the desk's thread ---------------------------------------------------------------------
    @property
    def _benches(self) -> tuple[_Bench, ...]:
        return self._quick, self._watch, self._long

    def _go_on(self) -> None:
        """Begins what waits where a process is free."""
        if self._closed:
            return
        if any(bench.given_up for bench in self._benches):
            self._give_up()
            return
        for bench in (self._quick, self._watch):
            lane = next((one for one in self._lanes if one.startswith(_WATCH) == (bench is self._watch)), None)
            if bench.call is None and lane is not None:
                bench.begin(self._lanes.pop(lane))
        if self._long.call is None and self._waiting:
            call = self._waiting.pop(0)
            if call.job is not None:
                call.job.began, call.job.words = time.monotonic(), "beginning"
            self._long.begin(call)

    def _give_up(self) -> None:
        """No process starts: all that waits fails."""
        calls = [*self._lanes.values(), *self._waiting]
        self._lanes.clear()
        self._waiting.clear()
        for call in calls:
            self._fail(call, _NO_START)
        if not any(call.job is not None and call.failed is None for call in calls):
            self._trouble(_NO_START)

    def _heard(self, helper: Helper, word: str, number: int, what: Any) -> None:
        """From the thread of a process."""
        self._desk.post(lambda: self._answered(helper, word, number, what))

    def _answered(self, helper: Helper, word: str, number: int, what: Any) -> None:
        bench = next((one for one in self._benches if one.helper is helper), None)
        if bench is None or self._closed:
            return  # of a process that was ended
        if word == READY:
            bench.is_ready()
            self._start_next()
            return
        call = bench.call
        if word == ENDED:
            bench.restart(by_itself=True)
            if call is not None:
                self._fail(call, _CRASHED)
            self._go_on()
        elif call is not None and call.number == number:
            if word == PROGRESS:
                if call.job is not None:
                    call.job.note(what)
                    self._told()
                return
            bench.call = None
            bench.used.add(call.name)
            self._go_on()  # the process goes on while this is told of
            if word == DONE:
                self._finish(call)
                call.then(what)
            else:
                self._fail(call, str(what))

    def _start_next(self) -> None:
        """Starts the process that people miss next; one that is needed earlier is started then."""
        for bench in (self._watch, self._quick, self._long):
            if bench.helper is None:
                bench.warm()
                return

    def _end_what_hangs(self) -> None:
        """Ends quick calls that take too long; long ones may."""
        for bench in (self._quick, self._watch):
            call = bench.call
            if call is not None and bench.seconds > (_LONGEST_S if call.name in bench.used else _LONGEST_FIRST_S):
                bench.restart()
                self._fail(call, _TOO_LONG)
                self._go_on()

    def _cancel(self, number: int) -> None:
        call = next((one for one in self._waiting if one.number == number), None)
        if call is not None:
            self._waiting.remove(call)
        elif self._long.call is not None and self._long.call.number == number:
            call = self._long.call
            self._leave(call)
        else:
            return
        self._finish(call)
        self._go_on()

    def _leave(self, call: _Call) -> None:
        """Has a running call left: another process takes a second to start, in which it holds up those who edit."""
        assert self._long.helper is not None
        self._long.helper.leave(call.number)
        left = self._long.call = _Call(call.number, call.function, call.arguments, lambda _: None, None)
        self._desk.later(_LEAVES_S, lambda: self._end_unless_left(left))

    def _end_unless_left(self, call: _Call) -> None:
        if self._long.call is not call or self._closed:
            return
        if self._long.seconds < _LEAVES_S:  # it is still starting, or has just done so
            self._desk.later(_LEAVES_S, lambda: self._end_unless_left(call))
            return
        self._long.restart()
        self._go_on()

    def _finish(self, call: _Call) -> None:
        if call.job is not None:
            call.job.over = True
            self._told()

    def _fail(self, call: _Call, words: str) -> None:
        self._finish(call)
        if call.failed is not None:
            call.failed(words)
        elif call.job is not None:
            self._trouble(words)
