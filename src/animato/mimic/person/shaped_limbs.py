"""Which bones are legs and arms, told by the shape of a skeleton whose names say nothing.

Two chains of equal length that hang on one bone and reach the floor are the legs; the longest other pair are the arms.
Of each chain the longest segment is its upper half, or its lower one where the segment before is nearly as long. Left
and right come from the way the feet point.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from animato.mimic.person.bone_chains import BoneTree
from animato.mimic.person.named_bones import ARM, LEG
from animato.motion.transfer import side_and_words

_EQUAL = 0.2  # most difference of the two chains of a pair, as a share of their length
_LEG_SHARE = 0.3  # a leg is at least this share of the figure's height long
_ARM_SHARE = 0.2
_FLOOR_SHARE = 0.15  # and ends within this share of the height above the figure's lowest point
_THIGH, _UPPER_ARM = 0.6, 0.8  # share of the longest segment from which on the one before it is the upper half
_SAME_PLACE = 1e-3  # joints nearer than this share of the chain are one

_Pair = tuple[list[int], list[int]]


def legs_by_shape(tree: BoneTree) -> dict[str, int]:
    """Hips, knees and ankles of both sides, or nothing where no two chains look like legs."""
    height, floor = _height_and_floor(tree)
    lowest = tree.positions[..., 2].mean(axis=0)
    pairs = [
        pair
        for pair in _pairs(tree, range(len(tree.names)))
        if all(
            tree.length(chain) > _LEG_SHARE * height
            and min(lowest[bone] for bone in chain) < floor + _FLOOR_SHARE * height
            for chain in pair
        )
    ]
    if not pairs:
        return {}
    halves = [_halves(tree, chain, _THIGH) for chain in max(pairs, key=lambda pair: min(map(tree.length, pair)))]
    if not all(halves):
        return {}
    first, second = halves
    if not _first_is_left(tree, first, second):
        first, second = second, first
    return _named(first, second, LEG)


def arms_by_shape(tree: BoneTree, legs: Mapping[str, int]) -> dict[str, int]:
    """Shoulders, elbows and wrists of both sides, or nothing where no two chains look like arms.

    Args:
        tree: The skeleton.
        legs: Its legs, which tell where left is.
    """
    height, _ = _height_and_floor(tree)
    left, right = legs["left_hip"], legs["right_hip"]
    taken = {left, right, *tree.above(left), *tree.above(right), *tree.below(left), *tree.below(right)}
    pairs = [
        pair
        for pair in _pairs(tree, [bone for bone in range(len(tree.names)) if bone not in taken])
        if all(tree.length(chain) > _ARM_SHARE * height for chain in pair)
    ]
    if not pairs:
        return {}
    first, second = (
        _halves(tree, chain, _UPPER_ARM) for chain in max(pairs, key=lambda pair: min(map(tree.length, pair)))
    )
    if not first or not second:
        return {}
    across = tree.positions[:, left] - tree.positions[:, right]
    if np.sum(across * (tree.positions[:, first[0]] - tree.positions[:, second[0]])) < 0.0:
        first, second = second, first
    return _named(first, second, ARM)


def _named(left: list[int], right: list[int], limb: tuple[str, str, str]) -> dict[str, int]:
    return {
        f"{side}_{place}": bone
        for side, bones in (("left", left), ("right", right))
        for place, bone in zip(limb, bones, strict=True)
    }


def _pairs(tree: BoneTree, allowed: range | list[int]) -> list[_Pair]:
    """Longest chains from two bones that hang on the same one and are about equally long."""
    chains = {bone: tree.farthest_end(bone) for bone in allowed}
    result = []
    for first, second in itertools.combinations(chains, 2):
        if tree.parents[first] != tree.parents[second]:
            continue
        lengths = tree.length(chains[first]), tree.length(chains[second])
        if max(lengths) > 0.0 and abs(lengths[0] - lengths[1]) <= _EQUAL * max(lengths):
            result.append((chains[first], chains[second]))
    return result


def _halves(tree: BoneTree, chain: list[int], nearly: float) -> list[int]:
    """The joints at the start of the upper half, between the halves and at the end of the lower one."""
    small = _SAME_PLACE * tree.length(chain)
    apart = [chain[0]]
    for bone in chain[1:]:
        if tree.distance(apart[-1], bone) > small:
            apart.append(bone)
    if len(apart) < 3:
        return []
    steps = [tree.distance(upper, lower) for upper, lower in itertools.pairwise(apart)]
    start = max(range(len(steps)), key=steps.__getitem__)
    # What leads to a hip or a shoulder is clearly shorter than the upper half, which is hardly shorter than the lower.
    if start == len(steps) - 1 or (start > 0 and steps[start - 1] > nearly * steps[start]):
        start -= 1
    return apart[start : start + 3]


def _first_is_left(tree: BoneTree, first: list[int], second: list[int]) -> bool:
    """By the sides that names tell, else by where the feet point, else the first in the file."""
    told = [{side_and_words(tree.names[bone])[0] for bone in chain} - {""} for chain in (first, second)]
    if told in ([{"left"}, {"right"}], [{"right"}, {"left"}]):
        return told[0] == {"left"}
    forward = np.zeros((len(tree.positions), 3))
    for chain in (first, second):
        end = tree.farthest_end(chain[-1])[-1]
        forward += tree.positions[:, end] - tree.positions[:, chain[-1]]
    across = tree.positions[:, first[0]] - tree.positions[:, second[0]]
    return bool(np.sum(forward[:, 0] * across[:, 1] - forward[:, 1] * across[:, 0]) >= 0.0)


def _height_and_floor(tree: BoneTree) -> tuple[float, float]:
    heights = tree.positions[..., 2].mean(axis=0)
    return float(np.ptp(heights)), float(heights.min())
