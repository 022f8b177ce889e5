"""A character that performs a clip, as a file that 3D programs play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from animato.character import Body, Character
from animato.errors import MechanismError
from animato.formats.glb import save_glb
from animato.formats.outgoing import PlainTree, Saved, plain_tree
from animato.mechanics.tree import BodyPoses, forward_kinematics
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform


def save_performance(path: str | Path, character: Character, clip: Clip) -> Saved:
    """Writes a GLB file with the character and the clip as its animation, whole or not at all.

    Loops are closed: motors move everything else. Where they cannot be, the clip is shown as it is, and that is
    said. Parts that bend are shown rigid.

    Args:
        path: Ends in .glb.
        character: Who performs.
        clip: What; coordinates that it does not name rest.
    """
    tree = plain_tree(character)
    said: list[str] = []
    if tree.ties and not set(tree.character.coordinate_names) <= set(clip.names):
        from animato.mechanics.loops import clip_with_loops  # only loops need it

        try:
            clip = clip_with_loops(tree.character, clip)
        except MechanismError as error:
            said.append(f"Loops are not closed in the animation: {error}")
    saved = save_glb(path, character, _poses(tree, clip), motion=clip.source or Path(path).stem)
    return replace(saved, left_out=(*said, *saved.left_out))


def _poses(tree: PlainTree, clip: Clip) -> BodyPoses:
    """Where all bodies are at the frames of a clip whose loops are closed."""
    cut = _cut(tree)
    columns = [number for number, name in enumerate(clip.names) if name in cut.coordinate_names]
    known = Clip(clip.times, tuple(clip.names[number] for number in columns), clip.positions[:, columns])
    poses = forward_kinematics(cut, known)
    if clip.base_positions is None or clip.base_quaternions_wxyz is None:
        base = RigidTransform()
    else:
        base = RigidTransform(clip.base_positions[:, None], clip.base_quaternions_wxyz[:, None])
    if not cut.floats:
        return poses
    # A tree that is cut elsewhere may start at another body; the clip tells where the character's own root is.
    root = poses.of(tree.steps[0].body)
    moved = base @ RigidTransform(root.position[:, None], root.quaternion_wxyz[:, None]).inverse()
    placed = moved @ RigidTransform(poses.positions, poses.quaternions_wxyz)
    return replace(poses, positions=placed.position, quaternions_wxyz=placed.quaternion_wxyz)


def _cut(tree: PlainTree) -> Character:
    """The bare tree, which is all that posing needs: no masses, shapes, landmarks or joints that close loops."""
    joints = [step.joint for step in tree.steps if step.joint is not None]
    names = {joint.name for joint in joints}
    led = [replace(one, coupling=None) if one.coupling and one.coupling.leader not in names else one for one in joints]
    order = {joint.name: number for number, joint in enumerate(tree.character.joints)}
    return Character(
        tree.character.name,
        tuple(Body(body.name) for body in tree.character.bodies),
        tuple(sorted(led, key=lambda one: order[one.name])),
    )
