"""One of several motions of a character that are shown in one picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation.posing import Performance


@dataclass(frozen=True, eq=False)
class Figure:
    """A motion that is shown beside others.

    Attributes:
        name: For people.
        kind: "target", "before" or "after"; decides its colour everywhere on a page.
        performance: How it moves and bends.
        points: Of the tracked bodies at the performance's frames [m], [frame, body, 3].
    """

    name: str
    kind: str
    performance: Performance
    points: np.ndarray
