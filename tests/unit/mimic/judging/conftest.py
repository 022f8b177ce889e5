from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from animato.formats import load_character
from animato.mechanics.tree import forward_kinematics, packed_tree
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.person import Person
from animato.motion import CapturedMotion, Clip
from tests.judging_builders import moved

FRAMES, RATE = 24, 30.0


@lru_cache
def pico() -> Anatomy:
    return anatomy_of(load_character("pico"))


@pytest.fixture
def anatomy() -> Anatomy:
    return pico()


def lowest(anatomy: Anatomy, clip: Clip) -> float:
    poses = forward_kinematics(anatomy.character, clip)
    heights = [poses.of(foot.sole.body).apply(corner)[:, 2] for foot in anatomy.feet for corner in foot.sole.corners]
    return float(np.min(heights))


@pytest.fixture
def stand(anatomy: Anatomy) -> Clip:
    """Standing still on the floor."""
    names = packed_tree(anatomy.character).coordinate_names
    times = np.arange(FRAMES) / RATE
    still = np.tile((1.0, 0.0, 0.0, 0.0), (FRAMES, 1))
    clip = Clip(times, names, np.tile(anatomy.stand_posture, (FRAMES, 1)), np.zeros((FRAMES, 3)), still)
    return moved(clip, up=-lowest(anatomy, clip))


@pytest.fixture
def person_like(anatomy: Anatomy) -> Callable[..., Person]:
    """A person whose landmarks are those of the robot in a clip, larger by a factor."""

    def made(clip: Clip, size: float = 1.0) -> Person:
        poses = forward_kinematics(anatomy.character, clip)
        points = [poses.of(point.body).apply(point.position) for point in anatomy.points]
        nothing = CapturedMotion(
            np.zeros(1), ("root",), np.array([-1]), np.zeros((1, 3)), np.array([[[1.0, 0.0, 0.0, 0.0]]])
        )
        sources = tuple((name,) for name in anatomy.names)
        return Person(clip.times, anatomy.names, size * np.stack(points, axis=1), sources, nothing)

    return made
