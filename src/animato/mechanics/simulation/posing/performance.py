"""A clip together with what came of it: poses of all bodies, and of all links of the rods that bend."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from animato.mechanics.simulation.posing.hinges import step_poses
from animato.mechanics.simulation.system import System
from animato.mechanics.tree import BodyPoses
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class LinkPlace:
    """A link of a rod among the bodies of a performance.

    Attributes:
        index: Into `Performance.poses`.
        station: Arc length of its middle from the rod's origin [m].
        length: [m].
    """

    index: int
    station: float
    length: float


@dataclass(frozen=True, eq=False, repr=False)
class Performance(Clip):
    """Motor profiles with what a simulated character made of them; whatever draws a clip draws this as it bent.

    Attributes:
        poses: At the clip's frames: the character's bodies, then links of rods, each with its z along the rod.
        rods: Links of each rod from its origin on, by the name of the flexible part.
    """

    poses: BodyPoses = field(default=None)  # type: ignore[assignment]  # fields of a clip before it have defaults
    rods: dict[str, tuple[LinkPlace, ...]] = field(default_factory=dict)

    def poses_at(self, times: ArrayLike | None = None) -> BodyPoses:
        """Poses at any times [s], straight between frames; those of the frames where not given."""
        if times is None:
            return self.poses
        where = np.atleast_1d(np.asarray(times, dtype=np.float64))
        place = np.interp(where, self.times, np.arange(self.frame_count))
        first = np.minimum(place.astype(int), max(self.frame_count - 2, 0))
        after = np.minimum(first + 1, self.frame_count - 1)
        share = (place - first)[:, None, None]
        shifts, turns = self.poses.positions, self.poses.quaternions_wxyz
        here, there = turns[first], turns[after]
        there = np.where(np.sum(here * there, axis=2, keepdims=True) < 0.0, -there, there)
        mixed = (1.0 - share) * here + share * there
        mixed /= np.linalg.norm(mixed, axis=2, keepdims=True)
        places = (1.0 - share) * shifts[first] + share * shifts[after]
        return BodyPoses(where, self.poses.names, places, mixed)

    def centre_line(self, rod: str) -> np.ndarray:
        """Middles of a rod's links at all frames [m], [frame, link, 3]."""
        return self.poses.positions[:, [link.index for link in self.rods[rod]]]


def perform(system: System, times: np.ndarray, z: np.ndarray, *, source: str = "") -> Performance:
    """What coordinates look like.

    Args:
        system: What moves.
        times: [s], [frame].
        z: Coordinates, [frame, n].
        source: Of the clip, for people.
    """
    names = [body.name for body in system.character.bodies]
    placed = [(system.bodies[name].step, system.bodies[name].transform) for name in names]
    rods: dict[str, tuple[LinkPlace, ...]] = {}
    for rod, links in system.rods.items():
        lengths = np.array([link.length for link in links])
        middles = np.cumsum(lengths) - 0.5 * lengths
        rods[rod] = tuple(LinkPlace(len(names) + n, middles[n], lengths[n]) for n in range(len(links)))
        names += [f"{rod}.{n}" for n in range(len(links))]
        placed += [(link.step, link.transform) for link in links]
    motors = z[:, system.unknown_count :]
    return Performance(
        times, system.motor_names, motors, source=source, poses=_poses(system, times, z, names, placed), rods=rods
    )


def _poses(
    system: System, times: np.ndarray, z: np.ndarray, names: list[str], placed: list[tuple[int, RigidTransform]]
) -> BodyPoses:
    steps = step_poses(system, z)
    poses = [steps[step] @ transform for step, transform in placed]
    return BodyPoses(
        times,
        tuple(names),
        np.stack([np.broadcast_to(one.position, (len(times), 3)) for one in poses], axis=1),
        np.stack([np.broadcast_to(one.quaternion_wxyz, (len(times), 4)) for one in poses], axis=1),
    )
