"""The one way to servos: whatever gives positions goes through here."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Literal, Self

import numpy as np

from animato.errors import OptionError
from animato.stage.lines import Line
from animato.stage.playing.streaming.ensemble import Ensemble
from animato.stage.playing.streaming.fault import FaultKind
from animato.stage.playing.streaming.guard import Guard
from animato.stage.playing.streaming.options import Options
from animato.stage.playing.streaming.run import Run
from animato.stage.playing.streaming.source import Move, Source
from animato.stage.playing.streaming.stream_report import StreamReport
from animato.stage.rig import Rig


class Stream:
    """Servos that are moved in time, inside their limits, and stopped softly when something is wrong.

        with Stream(rig, lines) as stream:
            stream.begin()                # prepares, reads where the servos are, torque on
            report = stream.run(source)   # never raises; report.fault says what was wrong
            stream.move_to(rest)
            stream.end("limp")            # torque off

    `prepare` and `where` can be called before `begin`, to tell a person what will happen; nothing moves until `begin`.
    All calls come from one thread, but for `stop` and `hold_now`, which any thread or signal handler may call.

    Args:
        rig: Which servos.
        lines: One a bus of the rig, opened.
        options: What is too much.
        say: Told of a fault as soon as everything stands.
        record: Whether reports keep what was sent.
    """

    def __init__(
        self,
        rig: Rig,
        lines: Sequence[Line],
        options: Options | None = None,
        *,
        say: Callable[[str], None] | None = None,
        record: bool = False,
    ) -> None:
        self.rig, self.options = rig, options or Options()
        self.ensemble = Ensemble(rig, lines, self.options.send_rate_hz)
        self.guard = Guard(rig)
        self.record = record
        self._say = say
        self._prepared = False
        self._where: np.ndarray | None = None
        self._in_time = contextlib.ExitStack()
        self.is_on = False
        self.asked_to_stop = False
        self.asked_to_hold = False
        self.elapsed_s = 0.0
        self._spoke_s = 0.0

    @property
    def positions(self) -> np.ndarray:
        """Where all coordinates were told to be last [rad or m], shape [coordinate]."""
        return self.guard.position.copy()

    def prepare(self) -> tuple[str, ...]:
        """Finds every servo and sets its limits; nothing moves. What the user should know.

        Raises:
            LineError: A servo does not answer or is not as the map says.
        """
        notes = self.ensemble.prepare()
        self._prepared = True
        return notes

    def where(self) -> np.ndarray:
        """Where the coordinates are [rad or m], shape [coordinate]; NaN where a servo cannot tell.

        Raises:
            LineError: A servo does not answer.
        """
        if not self._prepared:
            self.prepare()
        self._where = self.ensemble.positions()
        return self._where.copy()

    def begin(self, assumed: np.ndarray | None = None) -> np.ndarray:
        """Watchdog and torque on, where the servos are.

        Args:
            assumed: Where those are that cannot tell [rad or m], shape [coordinate]; 0, or the end of the range
                nearest to it, where not given.

        Returns:
            Where all coordinates are now [rad or m].

        Raises:
            LineError: A servo does not answer.
        """
        from animato.express.loop import in_real_time

        where = self.where()
        guess = np.zeros(len(where)) if assumed is None else np.asarray(assumed, dtype=np.float64)
        where = np.where(np.isnan(where), np.clip(guess, self.rig.lower, self.rig.upper), where)
        self.guard.begin(where)
        if not self.is_on:  # before the watchdogs: memory is put aside once, which takes longer than they wait
            self._in_time.enter_context(in_real_time(first=True))
        self.is_on = True  # from here on `close` holds
        self.ensemble.enable(where)
        self._spoke_s = time.monotonic()
        return where.copy()

    def run(self, source: Source, *, despite: Iterable[FaultKind] = ()) -> StreamReport:
        """Streams a source until it ends, is stopped, or something is wrong. Never raises once it runs.

        Args:
            source: Its time is 0 at the first frame, and it should begin where the robot is: what is farther away is
                approached within the limits.
            despite: Kinds of trouble that are known and do not end it, such as heat on the way to rest.

        Raises:
            OptionError: The torque is off: `begin` comes first.
        """
        if not self.is_on:
            raise OptionError("The torque is off; call `begin` first, which reads where the servos are.")
        run = Run(
            self.rig,
            self.ensemble,
            self.guard,
            self.options,
            source,
            self.elapsed_s,
            despite=frozenset(despite),
            record=self.record,
        )
        self.ensemble.revive(self.guard.position, time.monotonic() - self._spoke_s)
        run.clock.start()
        while not run.is_over:
            run.frame(stop=self.asked_to_stop, hold=self.asked_to_hold)
        self._spoke_s = time.monotonic()
        report = run.report()
        self.elapsed_s += report.seconds
        self.asked_to_stop = False
        if report.fault is not None and self._say is not None:
            with contextlib.suppress(Exception):
                self._say(report.fault.sentence())
        return report

    def move_to(self, goal: np.ndarray, *, haste: float = 0.5, despite: Iterable[FaultKind] = ()) -> StreamReport:
        """Goes straight to a pose inside the limits of range, speed and acceleration.

        Args:
            goal: [rad or m], shape [coordinate].
            haste: Share of speed and acceleration that is used.
            despite: As for `run`.
        """
        return self.run(Move(self.rig, self.guard.position, goal, haste=haste), despite=despite)

    def stop(self) -> None:
        """Asks for a soft stop; the run that is under way, or the next, ends with it."""
        self.asked_to_stop = True

    def hold_now(self) -> None:
        """Asks for a stop at once: all servos hold where they are."""
        self.asked_to_hold = True

    def end(self, how: Literal["hold", "limp"] = "limp") -> None:
        """Leaves the servos holding with torque, or limp without; the stream can begin anew."""
        if how == "hold":
            self.ensemble.hold()
        else:
            self.ensemble.release()
        self.is_on = False
        self._in_time.close()

    def close(self) -> None:
        """Gives the ports back; servos that still have torque hold."""
        if self.is_on:
            self.end("hold")
        self.ensemble.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
