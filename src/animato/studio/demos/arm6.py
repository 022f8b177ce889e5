"""An arm writes hello, as a hand drew it."""

from __future__ import annotations

import numpy as np

from animato.errors import MotionError
from animato.formats import load_character
from animato.formats.strokes import read_stroke
from animato.studio.document import Document, Take
from animato.studio.drawing import Board, Drawn, DrawnStroke, performed

_BOARD = Board("board", (0.75, 0.0, 0.55), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 0.8, 0.45)
"""A sheet of glass before the arm, to be read from the other side: from there one looks at first."""

_EVERY = 2  # samples of the recorded hand that are kept: 60 a second, as a page would send them


def arm6_demo() -> Document:
    """A word on a board before the arm, with the rhythm of the hand that drew it."""
    arm = load_character("arm6")
    recorded = read_stroke("hello")
    if recorded.times is None:
        raise MotionError("The hello that comes with animato has lost its times; install it again.")
    places, times = recorded.points[::_EVERY, :2], recorded.times[::_EVERY]
    drawn = Drawn((DrawnStroke("pen", _BOARD, places, times, np.full(len(times), 0.5)),))
    result = performed(arm, drawn, None)
    take = Take("hello", drawn, result.clip, remark=result.words)
    return Document(arm, "arm6").with_take(take).with_settings("draw", point="pen", board=_BOARD.values())
