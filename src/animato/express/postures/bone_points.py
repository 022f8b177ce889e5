"""A captured skeleton's back, from hip to head, as points for a chain of any number of joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.errors import MotionError
from animato.motion import CapturedMotion
from animato.motion.transfer import BONE_WORDS, measured_from_rest, side_and_words
from animato.spatial import quaternions


def bone_chain(capture: CapturedMotion, bones: Sequence[str] = ()) -> tuple[int, ...]:
    """Bones in one line, each the parent of the next.

    Args:
        capture: The skeleton.
        bones: Their names, or the first and the last of them; from the root to the head where not given.

    Raises:
        UnknownNameError: There is no such bone.
        MotionError: The bones are not in one line, or there is no head.
    """
    named = [capture.bone(name) for name in bones]
    if named and len(named) < 2:
        raise MotionError(f"`bones` must be two or more, from the root towards the tip; given {bones[0]!r} only.")
    last = named[-1] if named else _head(capture)
    first = named[0] if named else None
    line = [last]
    while line[0] != first and capture.parents[line[0]] >= 0:
        line.insert(0, int(capture.parents[line[0]]))
    missing = [capture.names[bone] for bone in named if bone not in line]
    if missing:
        raise MotionError(
            f"Bone '{missing[0]}' is not on the way to '{capture.names[last]}', which is "
            f"{', '.join(capture.names[bone] for bone in line)}. Name bones of one line, from the root towards the tip."
        )
    children = np.flatnonzero(capture.parents == last)
    if not named and len(children) == 1:
        line.append(int(children[0]))  # where the head ends
    return tuple(line)


def bone_points(capture: CapturedMotion, bones: Sequence[int], shares: np.ndarray, heading_frame: int) -> np.ndarray:
    """Points along a line of bones, as seen by a character that faces x.

    Args:
        capture: The skeleton.
        bones: Indices of the line, from `bone_chain`.
        shares: How much of the line's length lies before each point, rising from 0 to 1, [m].
        heading_frame: The frame in which the skeleton is taken to face x.

    Returns:
        [m], [frame, m, 3].

    Raises:
        MotionError: The bones have no length.
    """
    places = capture.world_poses()[0][:, list(bones)]
    facing = measured_from_rest(capture, heading_frame).facing_wxyz
    places = quaternions.rotate(facing, places)
    steps = np.linalg.norm(np.diff(places, axis=1), axis=2)
    if not steps.sum(axis=1).min() > 0.0:
        raise MotionError(f"The bones {', '.join(capture.names[bone] for bone in bones)} have no length.")
    out = np.empty((len(places), len(shares), 3))
    for n, (row, step) in enumerate(zip(places, steps, strict=True)):
        before = np.concatenate([[0.0], np.cumsum(step)]) / step.sum()
        for axis in range(3):
            out[n, :, axis] = np.interp(shares, before, row[:, axis])
    return out


def _head(capture: CapturedMotion) -> int:
    """The bone that is the head."""
    for bone, name in enumerate(capture.names):
        side, words = side_and_words(name)
        if not side and "".join(words) in BONE_WORDS["head"]:
            return bone
    raise MotionError(
        f"No bone of {capture.source or 'the capture'} is called a head; say which `bones` are to bend as the chain "
        f"does. Bones: {', '.join(capture.names[:30])}."
    )
