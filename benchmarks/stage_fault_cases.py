"""Faults that are injected while servos move, and what must be said of each."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from animato.stage.emulated import EmulatorProcess
from animato.stage.lines import Feedback, Line
from animato.stage.playing import Source

Emulators = list[EmulatorProcess]


class Setting(NamedTuple):
    """When, on what robot, and with what dice.

    Attributes:
        at_s: When the fault is injected, since the first frame [s].
        servos: On each bus.
        acceleration: The limit of each coordinate [rad/s^2].
        seed: Of the noise.
        more_buses: Beside those that the case asks for.
    """

    at_s: float = 1.2
    servos: int = 4
    acceleration: float = 60.0
    seed: int = 0
    more_buses: int = 0


@dataclass(frozen=True)
class Case:
    """A fault while a stream runs in this process.

    Attributes:
        name: Of it.
        inject: Does it to the emulators.
        words: All stand in the sentence that is told.
        stops: Whether it must stop; otherwise the performance may go on, exactly as it should.
        source: What is streamed, given the waves and when the fault comes [s].
        line: Put around the first line, given when the fault comes [s].
        buses: How many.
        kind: What is spoken.
        blocks: Whether the fault begins when the first servo is as far behind as is allowed.
    """

    name: str
    inject: Callable[[Emulators, Setting], None] | None = None
    words: tuple[str, ...] = ()
    stops: bool = True
    source: Callable[[Source, float], Source] | None = None
    line: Callable[[Line, float], Line] | None = None
    buses: int = 1
    kind: str = "dynamixel"
    blocks: bool = False


class _Spoiled:
    """A line whose servos tell something else from a moment on."""

    def __init__(self, line: Line, at_s: float, change: Callable[[Feedback], Feedback]) -> None:
        self._line, self._at_s, self._change, self._begin_s = line, at_s, change, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)

    def enable(self, told: np.ndarray) -> None:
        """As it is, and the time runs."""
        self._line.enable(told)
        self._begin_s = time.monotonic()

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """As they are, and then not."""
        said = self._line.poll(budget_s)
        return said if time.monotonic() - self._begin_s < self._at_s else tuple(self._change(one) for one in said)


class _Broken:
    """A source that fails from a moment on."""

    is_path = False

    def __init__(self, waves: Source, at_s: float, fail: Callable[[np.ndarray], np.ndarray]) -> None:
        self._waves, self._at_s, self._fail = waves, at_s, fail

    def __call__(self, time_s: float) -> np.ndarray | None:
        values = self._waves(time_s)
        return values if values is None or time_s < self._at_s else self._fail(values)


class _Once:
    """Something that is done at the first call only."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._done = seconds, False

    def __call__(self, values: np.ndarray) -> np.ndarray:
        if not self._done:
            self._done = True
            time.sleep(self._seconds)
        return values


def _raise(_: np.ndarray) -> np.ndarray:
    raise RuntimeError("the file is gone")


def _silent_for(seconds: float) -> Callable[[Emulators, Setting], None]:
    def mute(buses: Emulators, _: Setting) -> None:
        buses[0].mute()
        time.sleep(seconds)
        buses[0].mute([])

    return mute


def _noise(answers: float, questions: float = 0.0) -> Callable[[Emulators, Setting], None]:
    def spoil(buses: Emulators, setting: Setting) -> None:
        buses[0].garble(questions, setting.seed)
        buses[0].noise(answers, setting.seed)

    return spoil


def _unplug(number: int) -> Callable[[Emulators, Setting], None]:
    return lambda buses, _: buses[number].unplug()


def _leap(values: np.ndarray) -> np.ndarray:
    return -values


def _nothing(values: np.ndarray) -> np.ndarray:
    return values * np.nan


CASES = (
    Case("noise in few answers", _noise(0.002), ("answer",), stops=False),
    Case("noise in all answers", _noise(0.3), ("'arm0", "answer")),
    Case("noise both ways", _noise(0.002, 0.002), ("answer",), stops=False),
    Case("answers lost for 30 ms", _silent_for(0.03), ("answer",), stops=False),
    Case("silent for 400 ms and back", _silent_for(0.4), ("'arm0", "answer")),
    Case("one servo mute", lambda b, _: b[0].mute([2]), ("'arm02'", "id 2", "not answered")),
    Case("all servos mute", lambda b, _: b[0].mute(), ("'arm0", "not answered")),
    Case("unplugged", _unplug(0), ("'arm0'", "gone")),
    Case("one of two buses unplugged", _unplug(1), ("'arm1'", "gone"), buses=2),
    Case("overheated", lambda b, _: b[0].overheat(3, 78.0), ("'arm03'", "78 C")),
    Case("shut down by heat", lambda b, _: b[0].overheat(3, 95.0), ("'arm03'", "reports")),
    Case("overcurrent", lambda b, _: b[0].overload(1, 1.2), ("'arm01'", "draws", " A")),
    Case("shut down by overload", lambda b, _: b[0].overload(1, 2.5), ("'arm01'", "reports")),
    Case("blocked shaft", lambda b, _: b[0].slip(1), ("'arm01'",), blocks=True),
    Case("slow reader", lambda b, _: b[0].slow(5.0), ("arm0",)),
    Case("source gives no numbers", words=("finite",), source=lambda w, at: _Broken(w, at, _nothing)),
    Case("source raises", words=("file is gone",), source=lambda w, at: _Broken(w, at, _raise)),
    Case("starved for 300 ms", words=("No frame", " ms"), source=lambda w, at: _Broken(w, at, _Once(0.3))),
    Case("source leaps", words=("held back",), stops=False, source=lambda w, at: _Broken(w, at, _leap)),
    Case("voltage drops", words=(" V ",), line=lambda x, at: _Spoiled(x, at, lambda one: replace(one, voltage=7.0))),
    Case(
        "another id answers",
        words=("not answered",),
        line=lambda x, at: _Spoiled(x, at, lambda one: replace(one, id=one.id + 50)),
    ),
    Case("unplugged", _unplug(0), ("'arm0'", "gone"), kind="feetech"),
    Case("one servo mute", lambda b, _: b[0].mute([2]), ("'arm02'", "id 2", "not answered"), kind="feetech"),
    Case("noise in few answers", _noise(0.005), ("answer",), stops=False, kind="maestro"),
    Case("all channels mute", lambda b, _: b[0].mute(), ("arm0", "answer"), kind="maestro"),
    Case("unplugged", _unplug(0), ("'arm0'", "gone"), kind="maestro"),
    Case("slow reader", lambda b, _: b[0].slow(5.0), ("arm0",), kind="maestro"),
    Case("noise in few answers", _noise(0.005), ("answer",), stops=False, kind="bottango"),
    Case("board mute", lambda b, _: b[0].mute(), ("arm0", "answer"), kind="bottango"),
    Case("unplugged", _unplug(0), ("'arm0'", "gone"), kind="bottango"),
    Case("slow reader", lambda b, _: b[0].slow(5.0), ("arm0",), kind="bottango"),
)
"""Faults while the player lives; those of the player itself are `SIGNALS`."""

SIGNALS = (
    ("killed with -9", signal.SIGKILL, ""),
    ("halted", signal.SIGSTOP, "No frame"),
    ("told to end", signal.SIGTERM, "by hand"),
    ("Ctrl-C", signal.SIGINT, "by hand"),
)
"""What the player says then; one that was killed says nothing, and the system says that it was."""
