"""What a loop did, frame by frame, and the motions that it makes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.errors import OptionError
from animato.express.loop.pipeline import Pipeline
from animato.express.mechanism import closed_clip
from animato.express.problem import Target
from animato.motion import Clip


class Recording:
    """Keeps the commands of a loop, and what was held and faced meanwhile.

    Args:
        pipeline: At its start.
        keep: Whether to keep anything.
    """

    def __init__(self, pipeline: Pipeline, keep: bool) -> None:
        self._pipeline, self._keeps = pipeline, keep
        self._commanded, self._rows, self._bases = [pipeline.begin], [pipeline.row], [pipeline.base]
        self._faced: list[Mapping[str, Target]] = [{}]

    def add(self) -> None:
        """Keeps what the pipeline has just put out."""
        if self._keeps:
            self._commanded.append(self._pipeline.filter.positions)
            self._rows.append(self._pipeline.row)
            self._bases.append(self._pipeline.base)
            self._faced.append(self._pipeline.targets)

    def check(self) -> None:
        """Raises where nothing was kept."""
        if not self._keeps:
            raise OptionError("Commands were not kept; build the loop with `record=True`.")

    def performed(self) -> Clip:
        """All commands as a motion of the whole character."""
        self.check()
        posture, names = self._pipeline.problem.posture, self._pipeline.names
        still = self._pipeline.problem.clip is None  # then whoever is not commanded does not move
        positions = np.array([posture.positions] * len(self._rows) if still else self._rows)
        positions[:, [posture.names.index(name) for name in names]] = np.array(self._commanded)
        clip = self._clip(positions, f"{self._pipeline.problem.facts()['holding']}, facing targets")
        return closed_clip(self._pipeline.problem, clip)

    def held(self) -> Clip:
        """What was held, as a motion of the whole character."""
        self.check()
        return self._clip(np.array(self._rows), self._pipeline.problem.posture.source)

    def faced(self) -> tuple[Mapping[str, Target], ...]:
        """What was to be faced, frame by frame and by end-point."""
        self.check()
        return tuple(self._faced)

    def _clip(self, positions: np.ndarray, source: str) -> Clip:
        """A motion of positions [frame, coordinate]."""
        bases = [base for base in self._bases if base is not None]
        places = np.array([place for place, _ in bases]) if bases else None
        turns = np.array([turn for _, turn in bases]) if bases else None
        times = np.arange(len(positions)) / self._pipeline.rate_hz
        return Clip(times, self._pipeline.problem.posture.names, positions, places, turns, source)
