"""What a pose is to fulfil: points that go somewhere, bodies that turn, and what stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Wish:
    """Where a point of a body is to be, or how the body is to be turned, or both.

    Attributes:
        body: Which one, in the character's order.
        local: The point on it [m], shape [3].
        place: Where that is to be in the world [m], shape [3]; None where it does not matter.
        turn_wxyz: How the body is to be turned in the world, shape [4]; None where it does not matter.
        weight: How much it counts against other wishes.
        yields: Whether, far from where it is wished, it pulls no stronger: for what a hand drags.
    """

    body: int
    local: np.ndarray
    place: np.ndarray | None = None
    turn_wxyz: np.ndarray | None = None
    weight: float = 1.0
    yields: bool = False
