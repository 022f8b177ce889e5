"""Walking over the tree of a skeleton's bones."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class BoneTree:
    """Bones, and where their joints are.

    Attributes:
        names: Of the bones, parents before children.
        parents: Index of each bone's parent, -1 for a root.
        positions: Of their joints, shape [frame, bone, 3]; a few frames are enough.
    """

    names: tuple[str, ...]
    parents: Sequence[int]
    positions: np.ndarray

    def children(self, bone: int) -> list[int]:
        """Bones that hang on a bone."""
        return [one for one, parent in enumerate(self.parents) if parent == bone]

    def above(self, bone: int) -> list[int]:
        """The bones on which a bone hangs, nearest first."""
        result: list[int] = []
        here = int(self.parents[bone])
        while here >= 0:
            result.append(here)
            here = int(self.parents[here])
        return result

    def below(self, bone: int) -> list[int]:
        """All bones that hang on a bone, parents first, itself left out."""
        inside = {bone}
        for one, parent in enumerate(self.parents):
            if parent in inside:
                inside.add(one)
        return sorted(inside - {bone})

    def common(self, first: int, second: int) -> int | None:
        """The nearest bone on which both hang."""
        others = set(self.above(second))
        return next((bone for bone in self.above(first) if bone in others), None)

    def distance(self, first: int, second: int) -> float:
        """Mean over the frames of the distance between two joints."""
        return float(np.linalg.norm(self.positions[:, first] - self.positions[:, second], axis=-1).mean())

    def chain_to(self, bone: int, top: int) -> list[int]:
        """From `top`, which it hangs on, down to a bone, both included."""
        above = self.above(bone)
        return [*reversed(above[: above.index(top) + 1]), bone] if bone != top else [top]

    def length(self, chain: Sequence[int]) -> float:
        """Length of a chain of bones."""
        return sum(self.distance(upper, lower) for upper, lower in itertools.pairwise(chain))

    def farthest_end(self, bone: int) -> list[int]:
        """The longest chain from a bone to one on which nothing hangs, the bone first."""
        ends = [one for one in (bone, *self.below(bone)) if not self.children(one)]
        return max((self.chain_to(end, bone) for end in ends), key=self.length)
