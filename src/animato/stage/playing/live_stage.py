"""Servos for a loop that runs live: commands in, as they come; the same guard and the same ends as for a clip."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.express.loop import Command
from animato.express.sources import Losses
from animato.motion import Posture
from animato.stage.lines import Line
from animato.stage.playing.latest import Latest
from animato.stage.playing.opening import open_lines, rig_for
from animato.stage.playing.plan import settling_s
from animato.stage.playing.streaming import Fault, Move, Options, Still, Stream, StreamReport

_READY_S = 120.0  # for the way to the start
_BEHIND = 1.5  # commands


class LiveStage:
    """A sink for the commands of `express` and live `trace`, with servos behind it.

    On `with` it opens the buses, reads where the servos are, asks, puts the torque on and goes to the start; then
    commands are followed from a thread of its own. `close` stops softly, goes to rest and takes the torque off. Where
    something is wrong it does the same by itself, and calls `ended`.

    Args:
        character: Who moves, with a servo map.
        start: Where the loop begins, by coordinate [rad or m].
        rate_hz: Commands a second.
        to: As for `play`.
        options: What is wanted.
        lines: Buses that are open already, in place of `to`.
        confirm: Shown in sentences what will happen; where it says no, nothing moves and `with` raises.
        say: Told in sentences what happens.
        ended: Called from the thread when servos are moved no more.

    Raises:
        CharacterError: A coordinate has no servo, or a servo does not cover its joint.
        LineError: A bus or a servo does not answer.
    """

    def __init__(
        self,
        character: Character,
        start: Mapping[str, float],
        rate_hz: float,
        to: str | Sequence[str] = "servos",
        options: Options | None = None,
        *,
        lines: Sequence[Line] | None = None,
        confirm: Callable[[list[str]], bool] | None = None,
        say: Callable[[str], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> None:
        self._rig = rig_for(character, to, say)
        self._character, self._given, self._to, self._lines = character, dict(start), to, lines
        self._options, self._rate_hz = options or Options(), rate_hz
        self._confirm, self._say = confirm, say or (lambda _: None)
        self._ended = ended or (lambda: None)
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._places: dict[tuple[str, ...], tuple[np.ndarray, np.ndarray]] = {}
        self.losses = Losses()
        self.reports: list[StreamReport] = []
        self.done = ""

    @property
    def fault(self) -> Fault | None:
        """What was wrong first; None where nothing was."""
        return next((one.fault for one in self.reports if one.fault is not None), None)

    def __enter__(self) -> Self:
        rig = self._rig
        opened = open_lines(rig, self._to, self._options.send_rate_hz) if self._lines is None else self._lines
        self._stream = Stream(rig, opened, self._options)
        try:
            for note in self._stream.prepare():
                self._say(note)
            where = self._stream.where()
            guess = np.array([self._given.get(name, 0.0) for name in rig.names])
            stands = np.where(np.isnan(where), guess, where)
            start = np.array([self._given.get(name, at) for name, at in zip(rig.names, stands, strict=True)])
            self._start = np.clip(start, rig.lower, rig.upper)
            self._rest = self._resting(stands)
            self._unknown = [name for name, at in zip(rig.names, where, strict=True) if np.isnan(at)]
            if self._confirm is not None and not self._confirm(self._plan(stands)):
                raise OptionError("Nothing was moved, as you wish.")
        except BaseException:
            self._stream.close()
            raise
        self._latest = Latest(self._start, _BEHIND / self._rate_hz)
        self._stands = stands
        self._current = self._start.copy()
        self._thread = threading.Thread(target=self._run, name="servos", daemon=True)
        self._on_end = self._ends_like_ctrl_c()
        self._thread.start()
        try:
            self._ready.wait(_READY_S)
        except BaseException:
            self.close()
            raise
        return self

    def __call__(self, command: Command) -> None:
        """Takes a command; coordinates that it does not name stay."""
        if self.reports and self.reports[-1].stopped:
            self.losses.add("the servos have been stopped")
            return
        if command.names not in self._places:
            shared = [name for name in self._rig.names if name in command.names]
            self._places[command.names] = (
                np.array([self._rig.names.index(name) for name in shared], dtype=np.intp),
                np.array([command.names.index(name) for name in shared], dtype=np.intp),
            )
        slots, columns = self._places[command.names]
        self._current[slots] = command.positions[columns]
        self._latest.give(self._current)

    def close(self) -> None:
        """Stops softly, goes to rest, torque off; a Ctrl-C meanwhile holds at once. May be called twice."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._latest.end()
        if not self._ready.is_set():
            self._stream.stop()
        while thread.is_alive():
            try:
                thread.join(0.1)
            except KeyboardInterrupt:
                self._stream.hold_now()
        self._on_end()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _resting(self, stands: np.ndarray) -> np.ndarray:
        name = self._options.rest or ("rest" if any(one.name == "rest" for one in self._character.postures) else None)
        if name is None:
            return np.clip(stands, self._rig.lower, self._rig.upper)
        posture = Posture.named(self._character, name)
        return np.clip(np.array([posture.value(one) for one in self._rig.names]), self._rig.lower, self._rig.upper)

    def _plan(self, stands: np.ndarray) -> list[str]:
        buses = ", ".join(f"'{bus.name}'" + (f" at {bus.port}" if bus.port else "") for bus in self._rig.buses)
        said = [f"{len(self._rig.names)} servos on {buses} follow live."]
        if self._unknown:
            said.append(
                f"{', '.join(self._unknown)} cannot tell where they are: a jump at the start cannot be excluded."
            )
        seconds = Move(self._rig, stands, self._start).duration_s
        return [*said, f"{seconds:.2f} s to the start."]

    def _run(self) -> None:
        stream = self._stream
        try:
            stream.begin(self._stands)
            if self._unknown:
                self.reports.append(stream.run(Still(stream.positions, settling_s(self._rig, self._unknown))))
            if not any(one.stopped for one in self.reports):
                self.reports.append(stream.move_to(self._start))
            self._ready.set()
            if not self.reports[-1].stopped:
                self.reports.append(stream.run(self._latest))
            self.done = self._finish()
        except Exception as error:  # a line that fails before anything moves
            self.losses.add(str(error))
            self.done = f"{error} The servos were left where they were."
        finally:
            with contextlib.suppress(Exception):
                stream.close()
            self._ready.set()
            fault = self.fault
            self._say(self.done if fault is None else fault.sentence(self.done))
            self._ended()

    def _finish(self) -> str:
        stream, options, fault = self._stream, self._options, self.fault
        how = options.after
        if fault is not None and options.after_fault != "auto":
            how = options.after_fault
        elif fault is not None:
            how = "rest" if fault.kind.can_move_on and not stream.ensemble.dead else "hold"
        if stream.asked_to_hold:
            how = "hold"
        if how == "rest":
            self.reports.append(stream.move_to(self._rest, despite=() if fault is None else (fault.kind,)))
            how = "hold" if self.reports[-1].stopped else how
        stream.end("hold" if how == "hold" else "limp")
        return {
            "rest": "It went to rest and the torque is off.",
            "hold": "It holds where it is; the torque is on.",
            "limp": "The torque is off where it stood.",
        }[how]

    def _ends_like_ctrl_c(self) -> Callable[[], Any]:
        """A wish of the system to end is the same as Ctrl-C; how to undo that."""
        if threading.current_thread() is not threading.main_thread():
            return lambda: None

        def end(*_: Any) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGTERM, end)
        return lambda: signal.signal(signal.SIGTERM, before)
