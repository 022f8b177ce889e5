"""One stretch while it grows: clips, stills and transitions one after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.fix.joining import bridge, soft_start, soft_stop
from animato.motion import Clip

STEP_S = 0.02
"""Time between the frames of a show [s]."""


def still_clip(names: tuple[str, ...], values: np.ndarray, frames: int) -> Clip:
    """Frames in which nothing moves."""
    return Clip(np.arange(frames) * STEP_S, names, np.tile(values, (frames, 1)))


class Taking:
    """Puts motion behind motion, inside the limits of the character.

    Args:
        character: Who performs.
        names: Coordinates that the show moves.
        start: Where it begins, at rest [rad or m], shape [coordinate]; None for the start of its first clip.
        otherwise: Where coordinates are that nothing has named yet.
    """

    def __init__(
        self, character: Character, names: tuple[str, ...], start: np.ndarray | None, otherwise: np.ndarray
    ) -> None:
        self._character, self._names, self._otherwise = character, names, otherwise
        self.whole = None if start is None else still_clip(names, start, 1)

    @property
    def now_s(self) -> float:
        """Its length so far [s]."""
        return 0.0 if self.whole is None else self.whole.duration

    @property
    def last(self) -> np.ndarray:
        """Where the coordinates are at its end [rad or m]."""
        values: np.ndarray = self._otherwise if self.whole is None else self.whole.positions[-1]
        return values

    def clip(self, motion: Clip, start_s: float | None) -> tuple[float, float]:
        """Puts a clip behind.

        Args:
            motion: At the frame rate of shows, with all coordinates.
            start_s: When its first frame is [s]; as soon as is natural where not given.

        Returns:
            When its first frame is, and how long the way to it takes [s].
        """
        if self.whole is None:
            first = soft_start(self._character, motion).clip
            self.whole = still_clip(self._names, first.selected(self._names).positions[0], 1)
            if start_s is None:
                self.whole = first.selected(self._names)
                return self.now_s - motion.duration, self.now_s - motion.duration
        before_s = self.now_s
        gap_s = None if start_s is None else start_s - before_s
        if gap_s is not None:
            gap_s = self._after_rest(motion, gap_s)
        if gap_s is not None and gap_s < STEP_S / 2.0:
            raise OptionError(
                f"It should begin at {start_s:.3f} s, and what is before it ends at {before_s:.3f} s. Begin it later, "
                f"or shorten what is before it."
            )
        made = bridge(self._character, self._begun(), motion, gap_s=gap_s, carry_on=False)
        self.whole = made.joined.selected(self._names)
        starts = float(self.whole.times[made.last_frame])
        return starts, starts - float(self.whole.times[made.first_frame])

    def _after_rest(self, motion: Clip, gap_s: float) -> float:
        """Comes to rest and waits, where there is time for it; what is left of the gap [s]."""
        if gap_s < STEP_S / 2.0:
            return gap_s
        target = self.now_s + gap_s
        rested = soft_stop(self._character, self._begun()).clip.selected(self._names)
        pose = still_clip(self._names, rested.positions[-1], 2)
        made = bridge(self._character, pose, motion, carry_on=False)
        way_s = (made.last_frame - made.first_frame) * STEP_S
        frames = round((target - rested.duration - way_s) / STEP_S)
        if frames < 0:
            return gap_s
        self.whole = rested
        self._stand(frames)
        return target - self.now_s

    def rest(self) -> None:
        """Comes to rest."""
        if self.whole is not None:
            self.whole = soft_stop(self._character, self.whole).clip.selected(self._names)

    def wait(self, seconds: float) -> None:
        """Comes to rest and stands still for a time [s]."""
        self.whole = self._begun()
        self.rest()
        self._stand(round(seconds / STEP_S))

    def pose(self, values: np.ndarray, reached_s: float | None) -> tuple[float, float]:
        """Goes to a pose and rests there; when it is reached, and how long the way takes [s]."""
        if self.whole is None:
            self.whole = still_clip(self._names, values, 1)
            self._stand(0 if reached_s is None else round(reached_s / STEP_S))
            return self.now_s, 0.0
        goal = dict(zip(self._names, values.tolist(), strict=True))
        before_s = self.now_s
        if reached_s is None:
            self.whole = soft_stop(self._character, self._begun(), goal).clip.selected(self._names)
            return self.now_s, self.now_s - before_s
        return self.clip(still_clip(self._names, values, 1), reached_s)

    def _begun(self) -> Clip:
        """What there is; a moment of rest where there is nothing yet."""
        return still_clip(self._names, self._otherwise, 1) if self.whole is None else self.whole

    def _stand(self, frames: int) -> None:
        whole = self._begun()
        if frames > 0:
            times = whole.times[-1] + STEP_S * np.arange(1, frames + 1)
            still = np.tile(whole.positions[-1], (frames, 1))
            whole = replace(
                whole, times=np.concatenate([whole.times, times]), positions=np.vstack([whole.positions, still])
            )
        self.whole = whole
