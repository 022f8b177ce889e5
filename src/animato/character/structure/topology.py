"""The graph of a character: a spanning tree of its bodies, and the joints that close loops."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

from animato.character.character import Character
from animato.character.joint import Joint, JointType
from animato.errors import CharacterError


@dataclass(frozen=True)
class TreeLink:
    """One step of the spanning tree.

    Attributes:
        body: Name of the body that is reached.
        joint: The joint it hangs on, or None for a floating root.
        parent: Name of the body it hangs from, or None for a root.
        reversed: Whether the joint is walked from its child to its parent.
    """

    body: str
    joint: Joint | None
    parent: str | None
    reversed: bool = False


@dataclass(frozen=True)
class Topology:
    """A spanning tree and what is left over.

    Attributes:
        links: One a body, parents before children.
        loop_joints: Joints that are not in the tree; each closes one loop.
    """

    links: tuple[TreeLink, ...]
    loop_joints: tuple[Joint, ...]

    @property
    def is_tree(self) -> bool:
        """Whether the tree tells everything."""
        return not self.loop_joints


@lru_cache(maxsize=64)
def topology_of(character: Character) -> Topology:
    """Finds the spanning tree, breadth first in the order of the joints, so that it is deterministic.

    Configurable and passive joints are walked like any other. Fixed joints between bodies that the
    tree already holds together rigidly close no loop and are left out altogether.

    Raises:
        CharacterError: Some bodies are not connected to the rest.
    """
    grounds = [joint for joint in character.joints if joint.type is JointType.GROUND]
    others = [joint for joint in character.joints if joint.type is not JointType.GROUND]
    links: list[TreeLink] = []
    reached: dict[str, str] = {}  # body -> the body that leads its rigid group
    used: set[str] = set()
    queue: deque[str] = deque()
    for ground in grounds:
        if ground.child in reached:
            raise CharacterError(f"Body '{ground.child}' of '{character.name}' has two ground joints; one is enough.")
        links.append(TreeLink(ground.child, ground, None))
        reached[ground.child] = ""  # everything on the ground is one rigid group
        queue.append(ground.child)
    if not grounds:
        root = _root_name(character)
        links.append(TreeLink(root, None, None))
        reached[root] = root
        queue.append(root)
    around: dict[str, list[Joint]] = {}
    for joint in others:
        around.setdefault(joint.parent, []).append(joint)
        around.setdefault(joint.child, []).append(joint)
    while queue:
        here = queue.popleft()
        for joint in around.get(here, ()):
            there = joint.child if joint.parent == here else joint.parent
            if there in reached:
                continue
            used.add(joint.name)
            links.append(TreeLink(there, joint, here, reversed=joint.child == here))
            reached[there] = reached[here] if joint.type is JointType.FIXED else there
            queue.append(there)
    lost = [body.name for body in character.bodies if body.name not in reached]
    if lost:
        raise CharacterError(
            f"These bodies of '{character.name}' are not connected to '{links[0].body}': {', '.join(lost)}. "
            f"Add the joints that hold them, or remove them."
        )
    loops = tuple(
        joint
        for joint in others
        if joint.name not in used
        and not (joint.type is JointType.FIXED and reached[joint.parent] == reached[joint.child])
    )
    return Topology(tuple(links), loops)


def _root_name(character: Character) -> str:
    """The first body that is nobody's child; in a ring without one, the first body."""
    children = {joint.child for joint in character.joints}
    return next((body.name for body in character.bodies if body.name not in children), character.bodies[0].name)
