"""One line that was drawn, from pen down to pen up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from animato.errors import MotionError
from animato.motion import Stroke, frozen_array, rising_times
from animato.studio.drawing.lines.board import Board
from animato.studio.drawing.lines.quick_moments import quick_moments

MOST_SAMPLES = 100_000
_MOST_SHOWN = 300  # samples that a page is told of each line: as fine as one can see


@dataclass(frozen=True, eq=False)
class DrawnStroke:
    """A line of one point of the robot on a board, with its timing.

    Attributes:
        point: Which point draws it: one that has a name, or a place on a body such as "forearm at 0.1,0,0.02".
        board: Where it lies.
        places: On the board [m], [sample, 2].
        times: From 0, strictly rising [s], [sample].
        pressures: From 0 to 1, [sample].
    """

    point: str
    board: Board
    places: np.ndarray
    times: np.ndarray
    pressures: np.ndarray

    def __post_init__(self) -> None:
        times = rising_times(self.times, "the line")
        count = len(times)
        if not 2 <= count <= MOST_SAMPLES:
            raise MotionError(f"A line has 2 to {MOST_SAMPLES} samples; given {count}.")
        if times[0] != 0.0:
            times = times - times[0]
        object.__setattr__(self, "times", frozen_array(times, (count,), "The times of the line"))
        object.__setattr__(self, "places", frozen_array(self.places, (count, 2), "The places of the line"))
        pressures = np.clip(np.asarray(self.pressures, dtype=np.float64), 0.0, 1.0)
        object.__setattr__(self, "pressures", frozen_array(pressures, (count,), "The pressures of the line"))

    @property
    def duration(self) -> float:
        """How long it took the hand [s]."""
        return float(self.times[-1])

    @cached_property
    def world(self) -> Stroke:
        """The same in the world."""
        return Stroke(self.board.to_world(self.places), self.times, self.pressures)

    @cached_property
    def quick(self) -> np.ndarray:
        """When the hand was quickest [s], [moment]: where accents go."""
        return quick_moments(self.times, self.places)

    def values(self) -> dict[str, Any]:
        """Plain values for a file, exact."""
        return {
            "point": self.point,
            "board": self.board.values(),
            "samples": np.column_stack([self.places, self.times, self.pressures]).tolist(),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> DrawnStroke:
        """Back from `values`.

        Raises:
            AnimatoError: Something is missing or says no line.
        """
        try:
            samples = np.array(values["samples"], dtype=np.float64).reshape(-1, 4)
            board, point = values["board"], str(values["point"])
        except (KeyError, TypeError, ValueError) as error:
            raise MotionError("A line has a `point`, a `board` and `samples` of four numbers each.") from error
        return cls(point, Board.from_values(board), samples[:, :2], samples[:, 2], samples[:, 3])

    @cached_property
    def shown(self) -> dict[str, Any]:
        """Plain values for pages: no finer than one can see."""
        count = len(self.times)
        some = np.unique(np.linspace(0, count - 1, min(count, _MOST_SHOWN)).round().astype(int))
        rows = np.column_stack([self.places, self.times, self.pressures])[some]
        marks = np.column_stack([np.interp(self.quick, self.times, column) for column in self.places.T])
        return {
            "point": self.point,
            "board": self.board.values(),
            "samples": rows.round(5).tolist(),
            "quick": marks.round(4).tolist(),
            "duration": round(self.duration, 3),
        }
