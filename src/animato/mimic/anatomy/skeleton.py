"""A character as parts that move as one, in its rest pose: what anatomy is read from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import FREEDOM, Character, Joint, JointRole
from animato.character.structure import rest_poses, topology_of


@dataclass(frozen=True, eq=False)
class Part:
    """Bodies that move as one.

    Attributes:
        bodies: Names; the one on the joint stands first.
        joint: What moves it, None for the root.
        parent: Index of the part that it hangs on, -1 for the root.
        origin: Of the joint in the rest pose, in the root body's frame [m], [3].
        axis: Of the joint there, zero where it has no single one, [3].
    """

    bodies: tuple[str, ...]
    joint: Joint | None
    parent: int
    origin: np.ndarray
    axis: np.ndarray


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The tree of parts of a character.

    Attributes:
        character: Whose it is.
        parts: Parents before children; the root is the first.
    """

    character: Character
    parts: tuple[Part, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Of each part, those that hang on it."""
        found: list[list[int]] = [[] for _ in self.parts]
        for index, part in enumerate(self.parts):
            if part.parent >= 0:
                found[part.parent].append(index)
        return tuple(tuple(one) for one in found)

    @cached_property
    def reaches(self) -> tuple[float, ...]:
        """Of each part, the longest way from its joint along joints to the end of a chain [m]."""
        found = [0.0] * len(self.parts)
        for index in range(len(self.parts) - 1, 0, -1):
            part = self.parts[index]
            step = float(np.linalg.norm(part.origin - self.parts[part.parent].origin))
            found[part.parent] = max(found[part.parent], found[index] + step)
        return tuple(found)

    def path(self, index: int) -> tuple[int, ...]:
        """Parts from the root to this one, both included."""
        way = [index]
        while self.parts[way[0]].parent >= 0:
            way.insert(0, self.parts[way[0]].parent)
        return tuple(way)

    def chain(self, index: int) -> tuple[int, ...]:
        """The part and those after it, along the longest way outward."""
        way = [index]
        while self.children[way[-1]]:
            last = self.parts[way[-1]].origin
            way.append(
                max(
                    self.children[way[-1]],
                    key=lambda child: self.reaches[child] + float(np.linalg.norm(self.parts[child].origin - last)),
                )
            )
        return tuple(way)

    def place(self, index: int, body: str, point: np.ndarray) -> tuple[float, float, float]:
        """A point of the root's frame at rest [m], in the frame of a body of the part."""
        if body not in self.parts[index].bodies:
            raise ValueError(f"Body '{body}' is not in part {index}.")
        x, y, z = np.round(rest_poses(self.character)[body].inverse().apply(point), 9).tolist()
        return x, y, z


def skeleton_of(character: Character) -> Skeleton:
    """Reads the parts of a character; joints that close loops are left out."""
    poses = rest_poses(character)
    home: dict[str, int] = {}
    bodies: list[list[str]] = []
    joints: list[tuple[Joint | None, int, np.ndarray, np.ndarray]] = []
    for link in topology_of(character).links:
        joint = link.joint
        above = -1 if link.parent is None else home[link.parent]
        if joint is not None and above >= 0 and not _moves(joint):
            home[link.body] = above
            bodies[above].append(link.body)
            continue
        home[link.body] = len(bodies)
        bodies.append([link.body])
        if joint is None or above < 0:
            joints.append((None, above, poses[link.body].position, np.zeros(3)))
            continue
        stand = poses[joint.parent] @ joint.frame_parent.transform
        single = FREEDOM[joint.type] == 1
        joints.append((joint, above, stand.position, stand.rotation @ joint.axis if single else np.zeros(3)))
    parts = (Part(tuple(names), *rest) for names, rest in zip(bodies, joints, strict=True))
    return Skeleton(character, tuple(parts))


def _moves(joint: Joint) -> bool:
    return FREEDOM[joint.type] > 0 and joint.role is not JointRole.CONFIGURABLE
