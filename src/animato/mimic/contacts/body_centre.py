"""Where a person's weight is, roughly: enough to say whether feet alone could carry it."""

from __future__ import annotations

import numpy as np

from animato.mechanics.contact import outside_distance
from animato.mimic.person import SIDES, Person

_TRUNK, _HEAD, _THIGH, _SHIN, _ARM = 0.5, 0.08, 0.1, 0.06, 0.05
"""Shares of the weight of a body, of limbs each; from the tables of anatomy, rounded, 1 together."""


def body_centre(person: Person) -> np.ndarray | None:
    """The centre of mass of a person by shares of its segments [m], [frame, 3]; None without legs and shoulders."""
    needed = [f"{side}_{place}" for side in SIDES for place in ("hip", "knee", "ankle", "shoulder")]
    if not all(person.has(name) for name in needed):
        return None

    def middle(place: str) -> np.ndarray:
        return np.asarray(0.5 * (person.landmark(f"left_{place}") + person.landmark(f"right_{place}")))

    hips, knees, ankles, shoulders = (middle(place) for place in ("hip", "knee", "ankle", "shoulder"))
    elbows = middle("elbow") if all(person.has(f"{side}_elbow") for side in SIDES) else shoulders
    head = next((person.landmark(name) for name in ("head", "neck") if person.has(name)), shoulders)
    limbs = _THIGH * (hips + knees) + _SHIN * (knees + ankles) + 2.0 * _ARM * elbows
    return np.asarray(0.5 * _TRUNK * (hips + shoulders) + _HEAD * head + limbs)


def off_support(person: Person, centre: np.ndarray, landmarks: tuple[str, ...]) -> np.ndarray:
    """How far a person's weight is outside the hull of landmarks, seen from above [m], [frame].

    Args:
        person: Who has them, or some of them.
        centre: Of mass [m], [frame, 3].
        landmarks: What may carry.
    """
    corners = np.stack([person.landmark(name)[:, :2] for name in landmarks if person.has(name)], axis=1)
    return outside_distance(centre[:, :2], corners, np.ones(corners.shape[:2], dtype=bool))
