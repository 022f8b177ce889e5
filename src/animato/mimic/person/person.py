"""A captured person, whatever it came from: where the landmarks of a human body are, over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described, shortened
from animato.errors import unknown_name
from animato.motion import CapturedMotion, MarkerMotion

SIDES = ("left", "right")
PAIRED = ("hip", "knee", "ankle", "heel", "toe", "shoulder", "elbow", "wrist", "hand")
CENTRAL = ("pelvis", "chest", "neck", "head")
LANDMARKS: tuple[str, ...] = (*CENTRAL, *(f"{side}_{place}" for side in SIDES for place in PAIRED))
"""All that a person or a robot may have: centres of joints; ends of feet, hands and head."""


@dataclass(frozen=True, eq=False, repr=False)
class Person(Described):
    """Landmarks of one person over time. Metres, z up, the floor is z = 0.

    Attributes:
        times: Strictly rising [s], shape [frame].
        names: Which of `LANDMARKS` are known, in their order.
        positions: [m], without gaps, shape [frame, landmark, 3].
        sources: Of each landmark, the bones or markers whose mean it is; none where it was worked out from
            others.
        capture: What it was made from.
        notes: What was detected, filled, assumed or left out, in plain sentences.
        source: Where it came from, for people.
    """

    times: np.ndarray
    names: tuple[str, ...]
    positions: np.ndarray
    sources: tuple[tuple[str, ...], ...]
    capture: CapturedMotion | MarkerMotion
    notes: tuple[str, ...] = ()
    source: str = ""

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "frames": str(len(self.times)),
            "duration": f"{self.times[-1] - self.times[0]:.3f} s",
            "landmarks": shortened(self.names),
            "source": self.source or "unknown",
        }

    def has(self, name: str) -> bool:
        """Whether a landmark is known."""
        return name in self.names

    def landmark(self, name: str) -> np.ndarray:
        """Positions of one landmark [m], shape [frame, 3]."""
        if name not in self.names:
            raise unknown_name("landmark", name, self.names, self.source or "the person")
        return self.positions[:, self.names.index(name)]
