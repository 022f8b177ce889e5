"""Postures of a character with loops: where its ties stand while its tree is somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from animato.character import Character, Joint, NamedPosture
from animato.character.structure import joint_stand, rest_poses, rezeroed
from animato.spatial.rigid_transform import RigidTransform


def with_tied_postures(character: Character, tree: Character) -> Character:
    """The character, each posture completed by where the ties of its loops stand in it.

    A file states the joints of its tree only. Bodies are placed along the shortest ways, which may
    lead over ties, and a tie that is left unsaid would stand at its rest.

    Args:
        character: With its loops, its joints counted as in the tree.
        tree: The same without them.
    """
    known = {joint.name for joint in tree.joints}
    ties = [joint for joint in character.joints if joint.name not in known and joint.coordinate_names]
    if not ties:
        return character
    return replace(character, postures=tuple(_completed(one, character, ties, tree) for one in character.postures))


def _completed(posture: NamedPosture, character: Character, ties: list[Joint], tree: Character) -> NamedPosture:
    cut = replace(character, joints=tuple(character.joint(joint.name) for joint in tree.joints), postures=())
    stated = dict(posture.values)
    zeros = {}
    for joint in cut.joints:
        if joint.is_free_coordinate and any(name in stated for name in joint.coordinate_names):
            pairs = zip(joint.coordinate_names, joint.neutral, strict=True)
            zeros[joint.name] = tuple(stated.get(name, rest) for name, rest in pairs)
    poses = rest_poses(rezeroed(_unlimited(cut), zeros))
    for tie in ties:
        between = _frame(poses, tie.parent, tie.frame_parent.transform).inverse()
        stand = joint_stand(tie, between @ _frame(poses, tie.child, tie.frame_child.transform))
        if stand.coordinates != tie.neutral:
            stated.update(zip(tie.coordinate_names, stand.coordinates, strict=True))
    return NamedPosture(posture.name, tuple(stated.items()))


def _unlimited(character: Character) -> Character:
    """Without limits: a limited ball cannot be counted from elsewhere, and only places are asked for."""
    return replace(character, joints=tuple(replace(joint, stated_limits=()) for joint in character.joints))


def _frame(poses: Mapping[str, RigidTransform], body: str, frame: RigidTransform) -> RigidTransform:
    return poses[body] @ frame
