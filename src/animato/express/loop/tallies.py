"""What a loop counts while it runs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import cast

import numpy as np

from animato.character import Limits
from animato.express.aiming import Aimed
from animato.express.filter import MotionFilter
from animato.express.loop.report import LoopReport, LoopWarning, Tally
from animato.express.sources import Losing, Losses

_KINDS = ("position", "velocity", "acceleration", "jerk")
_DEGREES = 180.0 / float(np.pi)


class LoopTallies:
    """Counts frames, times, errors and warnings.

    Args:
        limits: Of the joints.
        rate_hz: Of the commands [Hz].
    """

    def __init__(self, limits: Sequence[Limits], rate_hz: float) -> None:
        self._rate_hz = rate_hz
        self._middle, self._scale = _share_scales(limits)
        self._shares = np.zeros(len(_KINDS))
        self._values = np.zeros((len(_KINDS), len(limits)))
        self._accelerations = np.zeros(len(limits))
        self._jitter, self._frame_s = Tally(), Tally()
        self._solve_s, self._solutions, self._commands = Tally(), Tally(), Tally()
        self._frames, self._branch_changes, self._changing = 0, 0, False
        self._began: float | None = None
        self._real_seconds, self._real_periods = 0.0, 0
        self._lock = threading.Lock()
        self._warnings: dict[str, LoopWarning] = {}
        self._new: list[str] = []
        self._late = 0
        self._sinks: list[Losing] = []
        self._sources: list[Losing] = []
        self._told = {"commands lost": 0, "lines lost": 0}

    def watch(self, sink: object, source: object) -> None:
        """Counts what a sink and a source lose from now on, where they can tell; None loses nothing."""
        for one, known in ((sink, self._sinks), (source, self._sources)):
            if isinstance(getattr(one, "losses", None), Losses) and one not in known:
                known.append(cast("Losing", one))

    def frame_began(self, now: float) -> None:
        """A frame of a real-time run begins at a time [s]."""
        if self._began is not None:
            seconds = now - self._began
            self._jitter.add(abs(seconds - 1.0 / self._rate_hz))
            self._real_seconds += seconds
            self._real_periods += 1
        self._began = now

    def frame_ended(self, due: float, now: float) -> None:
        """The command that was due at a time was handed out [s]; too late, where the next one was due by then."""
        self._frame_s.add(now - due)
        self._late += now - due > 1.0 / self._rate_hz

    def run_ended(self) -> None:
        """The time to the next run is not a period."""
        self._began = None

    def solved(self, aimed: Aimed, seconds: float) -> None:
        """There are new set-points, and they took some time [s]."""
        self._solve_s.add(seconds)
        self._solutions.add(aimed.error_rad)
        self._branch_changes += aimed.changing and not self._changing
        self._changing = aimed.changing

    def commanded(self, motion_filter: MotionFilter, error_rad: float | None) -> None:
        """There is a new command; its error is None where there is no target yet."""
        self._frames += 1
        accelerations, values = motion_filter.accelerations, self._values
        values[0] = motion_filter.positions - self._middle
        values[1] = motion_filter.velocities
        values[2] = accelerations
        values[3] = (accelerations - self._accelerations) * self._rate_hz
        self._accelerations = accelerations
        np.maximum(self._shares, (np.abs(values) * self._scale).max(axis=1), out=self._shares)
        if error_rad is not None:
            self._commands.add(error_rad)
        if motion_filter.held.any():
            self.warn("bad set-point", "a set-point was not a number; the one before it holds")

    def warn(self, kind: str, problem: object, count: int = 1) -> None:
        """Counts something that went wrong, once or more; any thread may call it."""
        with self._lock:
            before = self._warnings.get(kind)
            name = type(problem).__name__ + ": " if type(problem).__module__ == "builtins" else ""
            first = before.first if before else f"{name if isinstance(problem, Exception) else ''}{problem}"
            self._warnings[kind] = LoopWarning(kind, count + (before.count if before else 0), first)
            if kind not in self._new:
                self._new.append(kind)

    def new_warnings(self) -> tuple[str, ...]:
        """Kinds of warnings since this was last asked."""
        self._count_losses()
        if not self._new:
            return ()
        with self._lock:
            new, self._new = tuple(self._new), []
        return new

    def _count_losses(self) -> tuple[int, int]:
        """Commands and lines that were lost so far; new ones are warnings."""
        counts = []
        for kind, losing in (("commands lost", self._sinks), ("lines lost", self._sources)):
            losses = [one.losses for one in losing]
            count = sum(one.count for one in losses)
            new, self._told[kind] = count - self._told[kind], count
            if new > 0:
                self.warn(kind, next(one.first for one in losses if one.first), new)
            counts.append(count)
        return counts[0], counts[1]

    def report(self) -> LoopReport:
        """The figures so far."""
        limited = np.any(self._scale > 0.0, axis=1).tolist()
        lost, lost_lines = self._count_losses()
        with self._lock:
            warnings = tuple(self._warnings.values())
        return LoopReport(
            frames=self._frames,
            rate_hz=self._rate_hz,
            achieved_rate_hz=self._real_periods / self._real_seconds if self._real_seconds > 0.0 else None,
            jitter_ms=self._jitter.spread(1e3),
            frame_ms=self._frame_s.spread(1e3),
            deadline_misses=self._late,
            late_share=self._late / max(1, self._frame_s.count),
            lost=lost,
            lost_lines=lost_lines,
            solves=self._solve_s.count,
            solve_ms=self._solve_s.spread(1e3),
            solution_error_deg=self._solutions.spread(_DEGREES),
            command_error_deg=self._commands.spread(_DEGREES),
            last_command_error_deg=self._commands.newest * _DEGREES,
            branch_changes=self._branch_changes,
            limit_share={kind: float(self._shares[k]) for k, kind in enumerate(_KINDS) if limited[k]},
            warnings=warnings,
        )


def _share_scales(limits: Sequence[Limits]) -> tuple[np.ndarray, np.ndarray]:
    """Middle of each range [joint], and what turns values into shares [kind, joint], 0 where there is no limit."""
    middle, scale = np.zeros(len(limits)), np.zeros((len(_KINDS), len(limits)))
    for i, one in enumerate(limits):
        if one.lower is not None and one.upper is not None:
            middle[i] = 0.5 * (one.lower + one.upper)
            scale[0, i] = 2.0 / (one.upper - one.lower) if one.upper > one.lower else 0.0
        for k, value in enumerate((one.velocity, one.acceleration, one.jerk), start=1):
            scale[k, i] = 0.0 if value is None else 1.0 / value
    return middle, scale
