"""What a running loop did: its rate, its errors and its warnings."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

_REMEMBERED = 100_000  # percentiles are over so many of the last samples: a loop may run for days


@dataclass(frozen=True)
class Spread:
    """How numbers are spread: middle, 99th percentile, largest, mean; 0 where there are none."""

    p50: float = 0.0
    p99: float = 0.0
    max: float = 0.0
    mean: float = 0.0


class Tally:
    """Collects numbers in bounded memory."""

    def __init__(self) -> None:
        self._last: deque[float] = deque(maxlen=_REMEMBERED)
        self.count = 0
        self._sum = 0.0
        self._max = 0.0

    def add(self, value: float) -> None:
        """Counts a number."""
        self._last.append(value)
        self.count += 1
        self._sum += value
        self._max = max(self._max, value)

    @property
    def newest(self) -> float:
        """The last number, 0 where there is none."""
        return self._last[-1] if self._last else 0.0

    def spread(self, scale: float = 1.0) -> Spread:
        """Of what was counted, each times a scale."""
        if not self.count:
            return Spread()
        p50, p99 = np.percentile(np.array(self._last), (50.0, 99.0)) * scale
        return Spread(float(p50), float(p99), self._max * scale, self._sum / self.count * scale)


@dataclass(frozen=True)
class LoopWarning:
    """Something that went wrong and was survived.

    Attributes:
        kind: What it was, in two words.
        count: How often.
        first: The first time, in a sentence.
    """

    kind: str
    count: int
    first: str


@dataclass(frozen=True)
class LoopReport:
    """The figures of a run.

    Attributes:
        frames: Commands given.
        rate_hz: Asked for [Hz].
        achieved_rate_hz: Commands a second of real time [Hz]; None where the loop was stepped by hand.
        jitter_ms: Error of the time between commands, without its sign [ms].
        frame_ms: From the moment a frame was due to its command having been handed out [ms]; what is slower than a
            period is late.
        deadline_misses: Frames whose command came after the next one was due.
        late_share: Their share of all frames of real time.
        lost: Commands that did not go out, because the reader did not keep up or nobody listened.
        lost_lines: Lines that came in and were not heard, because there were too many or they were too long.
        solves: Set-points computed.
        solve_ms: Time for one of them [ms].
        solution_error_deg: Angle between what is to be faced and where the set-points face [deg].
        command_error_deg: The same of the commands: the way of the motion counts too [deg].
        last_command_error_deg: That of the last command [deg].
        branch_changes: How often the solver planned a way from one branch of solutions to another.
        limit_share: Largest used share of any limit, by kind.
        warnings: What went wrong and was survived.
    """

    frames: int
    rate_hz: float
    achieved_rate_hz: float | None
    jitter_ms: Spread
    frame_ms: Spread
    deadline_misses: int
    late_share: float
    lost: int
    lost_lines: int
    solves: int
    solve_ms: Spread
    solution_error_deg: Spread
    command_error_deg: Spread
    last_command_error_deg: float
    branch_changes: int
    limit_share: dict[str, float]
    warnings: tuple[LoopWarning, ...]

    def as_json(self) -> dict[str, Any]:
        """For machines; times in ms, angles in degrees."""
        return asdict(self)

    def lines(self) -> list[str]:
        """For people."""
        solve, jitter, frame = self.solve_ms, self.jitter_ms, self.frame_ms
        solution, command = self.solution_error_deg, self.command_error_deg
        said = [f"{self.frames} commands for {self.frames / self.rate_hz:.2f} s at {self.rate_hz:g} Hz"]
        if self.achieved_rate_hz is not None:
            said.append(
                f"rate {self.achieved_rate_hz:.2f} Hz; jitter {jitter.p50:.3f} ms (99 %: {jitter.p99:.3f}, worst "
                f"{jitter.max:.3f})"
            )
            said.append(
                f"frame {frame.p50:.3f} ms (99 %: {frame.p99:.3f}, worst {frame.max:.3f}); deadlines missed: "
                f"{self.deadline_misses} ({self.late_share:.2%})"
            )
        said.append(f"solve {solve.p50:.3f} ms (99 %: {solve.p99:.3f}, worst {solve.max:.3f}), {self.solves} solves")
        said.append(
            f"facing error: solutions {solution.mean:.4f} deg (worst {solution.max:.4f}), commands {command.mean:.2f} "
            f"deg (worst {command.max:.2f}, at the end {self.last_command_error_deg:.4f}); branch changes: "
            f"{self.branch_changes}"
        )
        shares = ", ".join(f"{kind} {share:.0%}" for kind, share in self.limit_share.items())
        said.append(f"limits used at most: {shares or 'the joints have none'}")
        for one in self.warnings:
            often = f"once: {one.first}" if one.count == 1 else f"{one.count} times; first: {one.first}"
            said.append(f"warning: {one.kind}, {often}")
        if self.lost:
            said.append(f"LOST: {self.lost} of {self.frames} commands did not go out")
        return said
