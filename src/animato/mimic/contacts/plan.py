"""Which parts of the feet, and which other points, are to touch what, when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described


@dataclass(frozen=True)
class ContactPart:
    """Something that touches as a whole: the heel or the toe of a sole, a hand, a seat.

    Attributes:
        name: Such as "left heel".
        points: (body, point on that body [m]) of each of its corners.
        height: Of the surface that it touches above the floor [m]; a chair's seat is higher than the floor.
    """

    name: str
    points: tuple[tuple[str, tuple[float, float, float]], ...]
    height: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class ContactPlan(Described):
    """A plan of contacts over the frames of a problem.

    Attributes:
        times: [s], [frame].
        parts: All that may touch; heels and toes of all feet first.
        planted: The part is on its surface and does not move; it can push. [frame, part].
        lowered: The part is on its surface and may slide; it does not push. [frame, part].
        support: Of each foot, by generous labels: it counts as carrying when balance is judged. [frame, foot].
        flight: Nothing touches, [frame].
        notes: What was closed, extended or edited, in plain sentences.
    """

    times: np.ndarray
    parts: tuple[ContactPart, ...]
    planted: np.ndarray
    lowered: np.ndarray
    support: np.ndarray
    flight: np.ndarray
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = {
            part.name: f"{100.0 * share:.0f} %" for part, share in zip(self.parts, self.planted.mean(0), strict=True)
        }
        return {"frames": str(len(self.times)), **told}
