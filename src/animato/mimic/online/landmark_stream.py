"""A stream of landmarks made whole: gaps, leaps, missing landmarks and clocks that jump are mended, and said."""

from __future__ import annotations

import numpy as np

_FASTEST_M_S = 12.0
"""Landmarks that move faster are taken to have been mistaken for others, or the person for another one [m/s]."""


class LandmarkStream:
    """Takes frames as they come; gives the person at even times.

    Attributes:
        names: Of the landmarks.
        step: Between the times that are given out [s].
        flags: What was mended in the last frame.
        elapsed: From the frame before to the last one, 0 where that was left out [s].
    """

    def __init__(self, names: tuple[str, ...], step: float, gap_s: float) -> None:
        self.names, self.step, self.gap_s = names, step, gap_s
        self.flags: list[str] = []
        self.elapsed = 0.0
        self._pelvis = names.index("pelvis")
        self._time = -np.inf  # of the last frame, on the clock that never jumps
        self._clock = 0.0  # what is added to the stream's times
        self._moved = np.zeros(3)  # what is added to its places
        self._places = np.full((len(names), 3), np.nan)
        self._period = step
        self._knot = 0
        self._first = 0.0

    @property
    def waiting(self) -> tuple[str, ...]:
        """Landmarks that were never seen."""
        return tuple(name for name, row in zip(self.names, self._places, strict=True) if not np.isfinite(row).all())

    @property
    def time(self) -> float:
        """Of the last frame, in the stream's own time [s]."""
        return self._time - self._clock if np.isfinite(self._time) else 0.0

    @property
    def since_knot(self) -> float:
        """From the newest knot to the last frame [s]."""
        return self._time - (self._first + (self._knot - 1) * self.step)

    def accepted(self, time: float, landmarks: np.ndarray) -> list[np.ndarray]:
        """Landmarks at all even times up to a frame, [landmark, 3] each.

        Args:
            time: Of the frame [s].
            landmarks: [m], NaN where not seen, [landmark, 3].
        """
        self.flags, self.elapsed = [], 0.0
        places = self._given(landmarks)
        begun = np.isfinite(self._time)
        now = self._clocked(time)
        if begun and now <= self._time:
            return []
        whole = not self.waiting
        if whole:
            places = self._mended(places, now - self._time if begun else self._period)
        else:
            places = np.where(np.isfinite(places), places, self._places)
        before, self._places = self._places, places
        if not whole:
            if self.waiting:
                self.flags.append(f"not yet seen: {', '.join(self.waiting)}")
                return []
            before = places
        last, self._time = self._time, now
        if not begun:
            self._first, last = now, now - self.step
        self.elapsed = now - last
        return self._at_knots(last, before)

    def _at_knots(self, last: float, before: np.ndarray) -> list[np.ndarray]:
        """Straight between the last frame and this one."""
        found = []
        while (moment := self._first + self._knot * self.step) <= self._time + 1e-9:
            share = (moment - last) / max(self._time - last, 1e-9)
            found.append(before + min(max(share, 0.0), 1.0) * (self._places - before))
            self._knot += 1
        return found

    def _given(self, landmarks: np.ndarray) -> np.ndarray:
        """What came, moved as the person was; nothing where it makes no sense."""
        try:
            places = np.asarray(landmarks, dtype=np.float64)
        except (TypeError, ValueError):
            places = np.zeros(0)
        if places.shape != self._places.shape:
            self.flags.append(f"a frame that is no array of {len(self.names)} landmarks")
            return np.full(self._places.shape, np.nan)
        return np.asarray(places + self._moved)

    def _clocked(self, time: float) -> float:
        """Time of a frame on a clock that never jumps."""
        if not isinstance(time, int | float | np.floating) or not np.isfinite(time):
            self.flags.append("a time that is no number")
            time = self.time + self._period
        if not np.isfinite(self._time):
            return float(time)
        now = float(time) + self._clock
        if self._time - self.gap_s < now <= self._time:
            self.flags.append("a frame out of order")
            return now
        if now > self._time + self.gap_s or now <= self._time:
            self.flags.append("a gap" if now > self._time else "a clock that went back")
            self._clock += self._time + self._period - now
            return self._time + self._period
        self._period = now - self._time
        return now

    def _mended(self, places: np.ndarray, since: float) -> np.ndarray:
        """Landmarks that are missing go along with the pelvis, quick ones are held back; a person that leaps stays."""
        last, reach = self._places, _FASTEST_M_S * since
        pelvis = places[self._pelvis]
        missing = ~np.isfinite(places).all(axis=1)
        if missing[self._pelvis]:
            seen = ~missing
            moved = np.median((places - last)[seen], axis=0) if seen.any() else np.zeros(3)
            pelvis = last[self._pelvis] + moved
            if not seen.any():
                self.flags.append("no landmark was seen")
        leap = last[self._pelvis] - pelvis
        if np.linalg.norm(leap) > reach:
            self.flags.append("the person leapt")
            leap[2] = 0.0
            self._moved = self._moved + leap
            places, pelvis = places + leap, pelvis + leap
        along = last + (pelvis - last[self._pelvis])
        away = np.where(missing[:, None], 0.0, places - along)
        far = np.linalg.norm(away, axis=1)
        if missing.any():
            self.flags.append(f"missing: {', '.join(np.array(self.names)[missing])}")
        if np.any(far > 2.0 * reach):
            self.flags.append(f"leapt: {', '.join(np.array(self.names)[far > 2.0 * reach])}")
        return along + away * np.minimum(1.0, 2.0 * reach / np.maximum(far, 1e-9))[:, None]
