"""A clip as rows of numbers, and which of them turn together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.motion import Clip
from animato.spatial import quaternions

_PARTS = (".qw", ".qx", ".qy", ".qz")
ROOT = ("root.x", "root.y", "root.z", "root.qw", "root.qx", "root.qy", "root.qz")
"""What the numbers of the root are called beside coordinates."""


def rows_of(clip: Clip) -> np.ndarray:
    """All coordinates and, where it moves, the root, shape [frame, channel]."""
    if clip.base_positions is None or clip.base_quaternions_wxyz is None:
        return clip.positions
    return np.hstack([clip.positions, clip.base_positions, clip.base_quaternions_wxyz])


def clip_of(rows: np.ndarray, like: Clip, times: np.ndarray | None = None) -> Clip:
    """The clip of rows, with the names and, where not given, the times of another one."""
    count = len(like.names)
    has_base = rows.shape[1] > count
    return Clip(
        like.times if times is None else times,
        like.names,
        rows[:, :count],
        rows[:, count : count + 3] if has_base else None,
        rows[:, count + 3 :] if has_base else None,
        like.source,
    )


def turns_in(names: Sequence[str], *, with_root: bool) -> list[list[int]]:
    """Columns of each quaternion in rows of these coordinates, each [4]."""
    where = {name: column for column, name in enumerate(names)}
    stems = [name.removesuffix(_PARTS[0]) for name in names if name.endswith(_PARTS[0])]
    found = [[where[stem + part] for part in _PARTS] for stem in stems if all(stem + part in where for part in _PARTS)]
    return found + ([[len(names) + n for n in range(3, 7)]] if with_root else [])


def normalized_turns(rows: np.ndarray, turns: Sequence[Sequence[int]]) -> np.ndarray:
    """Rows whose quaternions have unit length."""
    found = np.array(rows, dtype=np.float64)
    for columns in turns:
        found[..., columns] = quaternions.normalized(found[..., columns])
    return found
