"""What there is to see of a capture: the person, its bones, who is who, and what stands when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.motion import Clip
from animato.studio.capturing.stretches import Stretches

Pace = tuple[tuple[float, float], ...]
"""(time of the robot's motion, time of the file) pairs [s]."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A capture as pages show it. All times are the file's [s].

    Attributes:
        span: Of the whole file.
        times: Of the figure, [frame].
        names: The person's landmarks.
        sources: Of each, the bones or markers that it was made from.
        places: Of the landmarks, as large as the robot [m], [frame, landmark, 3].
        goals: The same with the robot's proportions, where it would have its own landmarks.
        bones: Names of all bones or markers.
        bone_places: As large as the robot [m], [frame, bone, 3].
        bone_edges: Pairs that a bone joins.
        points: (landmark, body, place in its frame [m]) of the robot.
        contacts: Part of a foot -> when it stands as found.
        notes: What was found, assumed or left out.
        trouble: Why the robot cannot follow; "" where it can.
    """

    span: tuple[float, float]
    times: np.ndarray
    names: tuple[str, ...]
    sources: tuple[tuple[str, ...], ...]
    places: np.ndarray
    goals: np.ndarray
    bones: tuple[str, ...]
    bone_places: np.ndarray
    bone_edges: tuple[tuple[int, int], ...]
    points: tuple[tuple[str, str, tuple[float, float, float]], ...]
    contacts: dict[str, Stretches]
    notes: tuple[str, ...]
    trouble: str


@dataclass(frozen=True, eq=False)
class Followed:
    """A capture and what the robot makes of it.

    Attributes:
        seen: What there is to see.
        clip: The robot's motion; None where there is none.
        pace: Of it.
        words: What there is to say.
        kinematic: The motion before balance and torque were asked for.
        good: Whether everything holds that was asked for.
    """

    seen: Seen
    clip: Clip | None
    pace: Pace
    words: str
    kinematic: Clip | None = None
    good: bool = True
