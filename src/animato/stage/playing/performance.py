"""What became of a performance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.outcome import Outcome, Status
from animato.stage.playing.plan import Plan
from animato.stage.playing.streaming import Fault, StreamReport


@dataclass(frozen=True, eq=False, repr=False)
class Performance(Described):
    """A performance that is over.

    Attributes:
        plan: What was to be performed.
        reports: Of each source that was streamed: the performance, and the way to rest after a soft stop.
        done: What the servos do now, in a sentence.
        notes: What lines told while they were prepared.
        interrupted: Whether a person ended it.
    """

    plan: Plan
    reports: tuple[StreamReport, ...]
    done: str
    notes: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def fault(self) -> Fault | None:
        """What was wrong first; None where nothing was."""
        return next((one.fault for one in self.reports if one.fault is not None), None)

    @property
    def outcome(self) -> Outcome:
        """Whether all of it was performed, and in a sentence what not."""
        if self.fault is not None:
            return Outcome(Status.STALLED, self.fault.sentence(self.done))
        if self.interrupted:
            return Outcome(Status.STALLED, f"Stopped by hand after {self.seconds:.2f} s. {self.done}")
        if not self.reports:
            return Outcome(Status.STALLED, f"Nothing was performed. {self.done}")
        return Outcome(Status.SOLVED, f"Performed in {self.seconds:.2f} s. {self.done}")

    @property
    def seconds(self) -> float:
        """How long servos were told where to be [s]."""
        return sum(one.seconds for one in self.reports)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.plan.character.name,
            "servos": str(len(self.plan.rig.names)),
            "outcome": str(self.outcome),
        }

    def as_json(self) -> dict[str, object]:
        """The figures for machines."""
        lateness = np.concatenate([one.lateness_s for one in self.reports]) if self.reports else np.zeros(0)
        late = np.sort(lateness) if len(lateness) else np.zeros(1)
        fault = self.fault
        return {
            "outcome": str(self.outcome),
            "usable": self.outcome.usable,
            "fault": None if fault is None else {"kind": fault.kind.value, "when_s": fault.when_s, "what": fault.what},
            "interrupted": self.interrupted,
            "servos": list(self.plan.rig.names),
            "ramp_s": self.plan.ramp_s,
            "performed_s": self.plan.performed_s,
            "rest_s": self.plan.rest_s,
            "seconds": self.seconds,
            "frames": sum(one.frames for one in self.reports),
            "missed": sum(one.missed for one in self.reports),
            "unsent": sum(one.unsent for one in self.reports),
            "unanswered": sum(one.unanswered for one in self.reports),
            "held_back": sum(one.held_back for one in self.reports),
            "late_median_s": float(np.median(late)),
            "late_p99_s": float(late[min(len(late) - 1, int(0.99 * len(late)))]),
            "late_worst_s": float(late[-1]),
        }

    def lines(self) -> list[str]:
        """The figures for people."""
        return [line for report in self.reports for line in report.lines()]

    def told_lines(self) -> list[str]:
        """What each servo was told, from its first to its last and its extremes; empty unless it was recorded."""
        told = [one.told for one in self.reports if one.told is not None and len(one.told)]
        if not told:
            return []
        every, rig = np.vstack(told), self.plan.rig
        step = np.abs(np.diff(every, axis=0)).max(axis=0, initial=0.0)
        return [
            f"{name} (id {slot.wire.id} on '{slot.wire.bus}'): from {every[0, n]:.0f} to {every[-1, n]:.0f}, between "
            f"{every[:, n].min():.0f} and {every[:, n].max():.0f}, at most {step[n]:.1f} a frame."
            for n, (name, slot) in enumerate(zip(rig.names, rig.slots, strict=True))
        ]
