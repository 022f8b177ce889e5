"""A take of a robot with loops as one of the tree that simulators make of it."""

from __future__ import annotations

from dataclasses import replace

from animato.character import Character, JointRole
from animato.formats.training import opened
from animato.motion import Clip
from animato.stage.exporting.take import Take


def opened_take(take: Take) -> Take:
    """The same motion of the robot cut open; a tree stays as it is.

    Joints that no motor drives are in it as they follow, between the frames of the original clip, too.
    """
    tree = opened(take.character)
    if tree is take.character:
        return take
    return replace(
        take,
        character=tree,
        clip=take.clip.selected(tree.coordinate_names),
        original=_followed(take.character, tree, take.original),
    )


def joint_notes(take: Take) -> tuple[str, ...]:
    """What has to be said of joints that are not in a file: those that close loops, those that are set once."""
    fixed = [one.name for one in take.character.joints if one.role is JointRole.CONFIGURABLE]
    said = f"These joints are set once, or held by a spring, and count as fixed: {', '.join(fixed)}."
    return (*_cut(take), said) if fixed else _cut(take)


def _cut(take: Take) -> tuple[str, ...]:
    left = opened(take.character).joints
    cut = [joint.name for joint in take.character.joints if joint not in left]
    if not cut:
        return ()
    return (f"Loops are cut open as simulators need it; where these joints are is not in it: {', '.join(cut)}.",)


def _followed(character: Character, tree: Character, clip: Clip) -> Clip:
    if not set(tree.coordinate_names) <= set(clip.names):
        from animato.mechanics.loops import clip_with_loops  # only loops need it

        clip = clip_with_loops(character, clip)
    return clip.selected([name for name in tree.coordinate_names if name in clip.names])
