"""The manner in which a character's joints move: as its options say, else as its file does, else as most like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from animato.character import MANNER_WORDS, Character
from animato.express.filter.arrays import ANTICIPATING, FilterManner
from animato.express.options import Options

CHARACTERS_SMOOTHNESS = 0.1
"""Smoothness of a character that says nothing of it: enough for targets from a camera or a slow solver."""

_AS_USUAL = FilterManner(smoothness=CHARACTERS_SMOOTHNESS, responsiveness=ANTICIPATING)._asdict()


def manner_of(character: Character, names: Sequence[str], options: Options) -> dict[str, Any]:
    """The character parameters of some coordinates, as keywords of `MotionFilter`.

    Args:
        character: Whose joints may state their own.
        names: Of the coordinates that are filtered.
        options: What they state counts before what the joints do.
    """
    manners = {name: joint.manner for joint in character.joints for name in joint.coordinate_names}
    found: dict[str, Any] = {}
    for word in MANNER_WORDS:
        stated = getattr(options, word)
        if stated is None:
            of_joints = [getattr(manners[name], word) for name in names]
            stated = np.array([_AS_USUAL[word] if one is None else one for one in of_joints])
        found[word] = stated
    return found
