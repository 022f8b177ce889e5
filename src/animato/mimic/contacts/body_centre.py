"""Where a person's weight is, roughly: enough to say whether feet alone could carry it."""

from __future__ import annotations

import numpy as np

from animato.mechanics.contact import outside_distance
from animato.mimic.person import SIDES, Person

_TRUNK, _HEAD, _THIGH, _SHIN, _ARM = 0.5, 0.08, 0.1, 0.06, 0.05
"""Shares of the weight of a body, of limbs each; from the tables of anatomy, rounded, 1 together."""

KNEE_ON_FLOOR = 0.15
"""A knee lower than this is on the floor [m]."""


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


def off_support(person: Person, centre: np.ndarray, others: tuple[str, ...] = ()) -> np.ndarray:
    """How far a person's weight is outside the hull of its feet and knees on the floor, seen from above [m], [frame].

    Args:
        person: Has ankles and knees.
        centre: Of mass [m], [frame, 3].
        others: Landmarks that carry as well; those that the person lacks are left out.
    """
    feet = [f"{side}_{place}" for side in SIDES for place in ("ankle", "toe")]
    knees = [f"{side}_knee" for side in SIDES]
    names = [name for name in (*feet, *knees, *others) if person.has(name)]
    points = np.stack([person.landmark(name) for name in names], axis=1)
    down = np.array([name not in knees for name in names]) | (points[..., 2] < KNEE_ON_FLOOR)
    return outside_distance(centre[:, :2], points[..., :2], down)
