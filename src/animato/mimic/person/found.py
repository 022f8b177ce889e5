"""Landmarks on their way from a capture to a person: not yet metres, not yet on the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, eq=False)
class Found:
    """Landmarks of a capture, as its unit and its floor are.

    Attributes:
        positions: Of each landmark that was found, without gaps, shape [frame, 3].
        sources: Of each landmark, the bones or markers whose mean it is; none for one that was worked out.
        notes: What was detected, filled, assumed or left out.
        foot_turns_wxyz: Of the bone of each foot ("left", "right") in the world, shape [frame, 4]; none of markers.
        on_skin: Whether the toes are markers on the skin, not joints inside the foot.
    """

    positions: Mapping[str, np.ndarray]
    sources: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()
    foot_turns_wxyz: Mapping[str, np.ndarray] = field(default_factory=dict)
    on_skin: bool = False
