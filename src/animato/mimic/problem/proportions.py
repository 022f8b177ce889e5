"""A person in the robot's size: scaled as a whole, or segment by segment where proportions differ much."""

from __future__ import annotations

import numpy as np

from animato.mimic.anatomy import Anatomy
from animato.mimic.mapping import scaled_by_segments, segment_scales, uniform_scale
from animato.mimic.person import Person

_ALIKE = 1.5  # times as long or wide a trunk, beside the legs, at most, for a body to count as a person's


def leg_scale(person: Person, anatomy: Anatomy) -> float:
    """Of the legs, robot to person; of the whole body where they cannot be compared."""
    scales = segment_scales(person, anatomy)
    legs = [scales[name] for name in ("thigh", "shin") if name in scales]
    return float(np.mean(legs)) if legs else float(uniform_scale(person, anatomy))


def wants_segments(person: Person, anatomy: Anatomy) -> bool:
    """Whether trunk and legs of the robot are of so different sizes that no one scale fits both."""
    scales, legs = segment_scales(person, anatomy), leg_scale(person, anatomy)
    ratios = [scales[name] / legs for name in ("spine", "shoulder width", "hip width") if name in scales]
    return any(max(ratio, 1.0 / ratio) > _ALIKE for ratio in ratios)


def relative_landmarks(
    person: Person, anatomy: Anatomy, names: tuple[str, ...], scale: float, by_segments: bool
) -> np.ndarray:
    """Key-points from the pelvis, to be multiplied by the scale [m], [frame, landmark, 3].

    Args:
        person: Whose.
        anatomy: The robot's, whose lengths segments get.
        names: Of the key-points.
        scale: By which they will be multiplied.
        by_segments: Whether segments get the robot's lengths.
    """
    places = scaled_by_segments(person, anatomy) / scale if by_segments else person.positions
    columns = [person.names.index(name) for name in names]
    return np.asarray(places[:, columns] - places[:, [person.names.index("pelvis")]])
