"""A line while it is being drawn."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError
from animato.motion import Posture
from animato.studio.desk import Fields
from animato.studio.drawing.following import Following
from animato.studio.drawing.lines import MOST_SAMPLES, Board, DrawnStroke, without_grain

_TAP_S = 1e-6
_TAP = 1e-3  # of the board's width: a line that is smaller all over is a tap


class Hand:
    """Samples of one page since its pen went down, and the robot that follows.

    Attributes:
        page: Name of the page that draws.
        point: What draws.
        board: Where.
        fresh: Whether a new drawing begins with it.
        over: How near to an existing line it must begin and end to replace a part of it [m]; 0 where it is a new line.
        following: The robot; None where it cannot follow live.
    """

    def __init__(
        self,
        page: str,
        point: str,
        board: Board,
        *,
        offset: float,
        following: Following | None,
        fresh: bool = False,
        over: float = 0.0,
    ) -> None:
        """Puts the pen down.

        Args:
            page: Who draws.
            point: What draws.
            board: Where.
            offset: From the page's clock to the desk's [s].
            following: The robot.
            fresh: Whether a new drawing begins.
            over: See above [m].
        """
        self.page, self.point, self.board = page, point, board
        self.fresh, self.over, self.following = fresh, over, following
        self._offset = offset
        self._rows: list[np.ndarray] = []
        self._count, self._latest = 0, -np.inf

    def add(self, samples: np.ndarray) -> None:
        """Takes samples (u, v [m], time [s], pressure), [sample, 4]; what is not later than the last is left."""
        kept: list[np.ndarray] = []
        for row in samples:
            if row[2] > self._latest + _TAP_S and self._count + len(kept) < MOST_SAMPLES:
                self._latest = float(row[2])
                kept.append(row)
        if not kept:
            return
        rows = np.array(kept)
        self._rows.append(rows)
        self._count += len(rows)
        if self.following is not None:
            self.following.add(self.board.to_world(rows[:, :2]), rows[:, 2] + self._offset)

    def stroke(self, grain: np.ndarray) -> DrawnStroke | None:
        """The line; None where it is a tap.

        Args:
            grain: Length of a pixel on the board along its axes [m], [2]; 0 where places are exact.
        """
        if self._count < 2:
            return None
        rows = np.concatenate(self._rows)
        if float(np.ptp(rows[:, :2], axis=0).max()) < _TAP * self.board.width:
            return None
        try:
            places = without_grain(rows[:, 2] - rows[0, 2], rows[:, :2], grain)
            return DrawnStroke(self.point, self.board, places, rows[:, 2] - rows[0, 2], rows[:, 3])
        except AnimatoError:
            return None


def shown_posture(fields: Fields, character: Character) -> Posture | None:
    """The posture in which the page shows the robot; None where it does not say.

    Args:
        fields: `coordinates`, all of the character's [rad or m].
        character: Who draws.

    Raises:
        OptionError: Not as many as the character has.
    """
    names = character.coordinate_names
    return Posture(names, fields.numbers("coordinates", (len(names),))) if fields.has("coordinates") else None
