"""A live loop between lines that come in and commands that go out, on one clock; nothing here raises or waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.errors import AnimatoError
from animato.trace.live.loop import LiveFigures, Loop
from animato.trace.live.samples import LiveSample, parse_sample

_LEAP_S = 1.0  # by which a sender's clock must go back to count as set anew
_AHEAD_S = 0.1  # by which samples may be ahead of the clock; those that waited on the way seem so
_BETWEEN_SAMPLES = 0.008  # [s] of samples that do not say when they were drawn, where nothing else tells


@dataclass(frozen=True)
class SessionFigures:
    """How a session went.

    Attributes:
        loop: How the tracing went.
        samples: Lines that said a place.
        bad_lines: Lines that said nothing that can be used.
        first_bad: What was wrong with the first of them.
        frames: Commands.
        longest_lag_s: How long ago that was drawn where the robot was, at most [s].
        left_m: How much of what was drawn the robot left out [m].
    """

    loop: LiveFigures
    samples: int
    bad_lines: int
    first_bad: str
    frames: int
    longest_lag_s: float
    left_m: float

    def lines(self) -> list[str]:
        """For people."""
        times = self.loop.update_ms
        said = [
            f"{self.samples} samples and {self.frames} commands; the robot was at most {self.longest_lag_s:.2f} s "
            "behind the hand.",
            f"{self.loop.updates} plan{'' if self.loop.updates == 1 else 's'} took over"
            + (f", each made in {np.median(times):.1f} ms, {np.max(times):.1f} at most." if len(times) else "."),
        ]
        if self.left_m > 0.005:
            said.append(f"Left out of what was drawn: {self.left_m:.2f} m.")
        if self.loop.outliers:
            said.append(f"Samples that no hand draws, left out: {self.loop.outliers}.")
        if self.loop.ignored or self.bad_lines:
            said.append(
                f"Samples and lines without use: {self.loop.ignored + self.bad_lines}. {self.first_bad}".rstrip()
            )
        return [*said, *self.loop.notes]

    def as_json(self) -> dict[str, object]:
        """For machines."""
        return {
            "samples": self.samples,
            "bad_lines": self.bad_lines,
            "commands": self.frames,
            "longest_lag_s": self.longest_lag_s,
            "left_m": self.left_m,
            "plans": self.loop.updates,
            "kept": self.loop.kept,
            "shortened": self.loop.shortened,
            "ignored": self.loop.ignored,
            "outliers": self.loop.outliers,
            "deviation_m": self.loop.deviation,
            "notes": list(self.loop.notes),
        }


class LiveSession:
    """Takes lines as they come and says where the joints should be.

    A sender's clock is set by its first samples, and anew where it leaps. Samples that do not say when they were drawn
    were drawn when they came.

    Args:
        loop: At its start.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._offset = np.inf  # from the sender's clock to the loop's
        self._newest = -np.inf  # on the sender's clock
        self._taken = np.inf  # when lines were last taken
        self._down, self._ended = True, False
        self._samples = self._bad = self._frames = 0
        self._first_bad, self._lag = "", 0.0

    @property
    def ended(self) -> bool:
        """Whether the drawing has ended and the robot rests."""
        return self._ended and self._loop.done

    def take(self, lines: Sequence[LiveSample | str], now: float) -> None:
        """Takes what came in by now [s]; samples that follow one another are planned for at once."""
        samples = self._parsed(lines)
        self._set_clock([one.time_s for one in samples if one.time_s is not None], now)
        before, self._taken = min(self._taken, now), now
        if before == now:  # those that waited for the robot to be ready came as a hand draws
            before = now - _BETWEEN_SAMPLES * len(samples)
        places: list[tuple[float, ...]] = []
        moments: list[float] = []
        for number, sample in enumerate(samples, start=1):
            turned = sample.down is not None and sample.down != self._down
            if places and (turned or sample.end or (sample.place and len(sample.place) != len(places[0]))):
                self._add(places, moments)
                places, moments = [], []
            self._down = self._down if sample.down is None else sample.down
            if sample.place is not None:
                # those of one frame that do not say when came one after another since the frame before
                came = before + (now - before) * number / len(samples)
                places.append(sample.place)
                moments.append(came if sample.time_s is None else sample.time_s + self._offset)
                self._samples += 1
            if sample.end:
                self._add(places, moments)
                places, moments = [], []
                self.end()
        self._add(places, moments)

    def end(self) -> None:
        """The drawing ends; the robot goes to its end and rests."""
        self._loop.finish()
        self._ended = True

    def command(self, now: float) -> np.ndarray:
        """Where the joints should be now [rad or m], [n]."""
        self._frames += 1
        positions = self._loop.command(now)
        self._lag = max(self._lag, 0.0 if self._loop.done else self._loop.lag_s)
        return positions

    def figures(self) -> SessionFigures:
        """How it went so far."""
        return SessionFigures(
            self._loop.figures,
            self._samples,
            self._bad,
            self._first_bad,
            self._frames,
            self._lag,
            self._loop.left_m,
        )

    def _add(self, places: list[tuple[float, ...]], moments: list[float]) -> None:
        if places:
            self._ended = False
            self._loop.add(places, moments, down=self._down)

    def _parsed(self, lines: Sequence[LiveSample | str]) -> list[LiveSample]:
        """What lines say; those that say nothing that can be used are counted."""
        found = []
        for line in lines:
            try:
                found.append(parse_sample(line) if isinstance(line, str) else line)
            except AnimatoError as error:
                self._bad += 1
                self._first_bad = self._first_bad or str(error)
        return found

    def _set_clock(self, times: list[float], now: float) -> None:
        """Sets the sender's clock so that the newest of some times [s] is now, unless it goes about right already."""
        if not times:
            return
        newest = max(times)
        if newest < self._newest - _LEAP_S or newest + self._offset > now + _AHEAD_S:
            self._offset = now - newest
        self._newest = newest
