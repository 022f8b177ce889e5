"""What a stream did, in figures and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.stage.playing.streaming.fault import Fault


@dataclass(frozen=True, eq=False)
class StreamReport:
    """What became of one source.

    Attributes:
        frames: That were sent.
        seconds: How long it took [s].
        missed: Frames that were left out because the computer was late.
        unsent: Writes that a bus did not take.
        unanswered: Answers of servos that did not come in time.
        held_back: Frames in which the guard told servos otherwise than the source asked.
        lateness_s: Of each frame [s], shape [frame].
        positions: Where the coordinates were told to be at last [rad or m], shape [coordinate].
        fault: What ended it; None where nothing was wrong.
        stopped: Whether it was ended before the source did, by `Stream.stop` or a fault.
        stop_s: How long the soft stop took, from the fault or the wish to standing still [s]; 0 where there was none.
        pauses: How often everything stood and waited for servos that were silent, and went on.
        paused_s: How long in all [s].
        warmest: The highest temperature [degrees Celsius] and whose it was; None where no servo told.
        sent_s: When each frame was sent, on the clock of `time.monotonic` [s]; None unless it is recorded.
        due_s: When each was due; likewise.
        told: What servos were told in each [counts or microseconds], shape [frame, slot]; likewise.
    """

    frames: int
    seconds: float
    missed: int
    unsent: int
    unanswered: int
    held_back: int
    lateness_s: np.ndarray
    positions: np.ndarray
    fault: Fault | None = None
    stopped: bool = False
    stop_s: float = 0.0
    pauses: int = 0
    paused_s: float = 0.0
    warmest: tuple[float, str] | None = None
    sent_s: np.ndarray | None = None
    due_s: np.ndarray | None = None
    told: np.ndarray | None = None

    def lines(self) -> list[str]:
        """The figures for people."""
        late = np.sort(self.lateness_s) if len(self.lateness_s) else np.zeros(1)
        p99 = late[min(len(late) - 1, int(0.99 * len(late)))]
        said = [
            f"{self.frames} frames in {self.seconds:.2f} s; late by {1e3 * np.median(late):.2f} ms, "
            f"99 of 100 by less than {1e3 * p99:.2f} ms, at worst {1e3 * late[-1]:.2f} ms."
        ]
        for count, what in (
            (self.missed, "frames were left out: the computer was late"),
            (self.unsent, "writes were not taken by a bus"),
            (self.unanswered, "answers of servos did not come in time"),
            (self.held_back, "frames were held back to keep the limits"),
        ):
            if count:
                said.append(f"{count} {what}.")
        if self.pauses:
            times = "once" if self.pauses == 1 else f"{self.pauses} times"
            said.append(f"It stood and waited for servos that were silent {times}, {self.paused_s:.2f} s in all.")
        if self.warmest is not None:
            said.append(f"The warmest servo was that of {self.warmest[1]}, {self.warmest[0]:.0f} C.")
        return said
