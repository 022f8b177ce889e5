"""A robot with closed loops as simulators count it: a tree, cut open where least is lost."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from animato.character import Character
from animato.formats.outgoing import plain_tree


@lru_cache(maxsize=32)
def opened(character: Character) -> Character:
    """The character without the joints that close its loops, the ones that are cut when it is written as URDF or MJCF.

    Postures and servos are left away with them: what is left is for counting joints and for where bodies are.
    """
    cut = {step.joint.name for step in plain_tree(character).ties if step.joint is not None}
    if not cut:
        return character
    kept = tuple(joint for joint in character.joints if joint.name not in cut)
    return replace(character, joints=kept, postures=(), buses=(), wires=())
