"""Legs, arms, trunk and neck of a character, by the shape of its tree first and by names where they tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from animato.errors import CharacterError
from animato.mimic.anatomy.skeleton import Skeleton
from animato.mimic.person import SIDES

_UPS = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))  # tried in this order
_LIKE = 0.06  # share of their length by which the two limbs of a pair may differ
_HANGING = 0.6  # share of a leg's length by which its end is below its beginning at rest
_SHORTEST_ARM = 0.25  # of a leg's length; what is shorter is a finger, an ear or an eye
_LEFT = re.compile(r"(^|[^a-z])(l|left)([^a-z]|$)|left", re.IGNORECASE)
_RIGHT = re.compile(r"(^|[^a-z])(r|right)([^a-z]|$)|right", re.IGNORECASE)
_ARM = re.compile(r"shoulder|elbow|wrist|(^|_|\b)arm(_|\b)", re.IGNORECASE)
_CAMEL = re.compile(r"^(?P<side>[lrLR])(?=[A-Z])")


@dataclass(frozen=True, eq=False)
class Pair:
    """Two limbs that mirror each other.

    Attributes:
        base: The part that both hang on.
        limbs: Chains of parts from the base outward; left, then right, once the sides are known.
        reach: Length of the shorter one [m].
    """

    base: int
    limbs: tuple[tuple[int, ...], tuple[int, ...]]
    reach: float


@dataclass(frozen=True, eq=False)
class Limbs:
    """What hangs on what.

    Attributes:
        skeleton: The parts.
        up: In the root body's frame at rest, [3].
        legs: The pair that reaches lowest.
        arms: None where there are none.
        spine: Parts from the base of the legs to that of the arms, or to the root; at least one.
        neck: Chain of parts of neck and head; empty where nothing moves there.
    """

    skeleton: Skeleton
    up: np.ndarray
    legs: Pair
    arms: Pair | None
    spine: tuple[int, ...]
    neck: tuple[int, ...]


def limbs_of(skeleton: Skeleton) -> Limbs:
    """Finds the limbs.

    Raises:
        CharacterError: It has no two legs, or more than two.
    """
    for direction in _UPS:
        up = np.array(direction)
        pairs = _pairs(skeleton, up)
        legs = _legs(skeleton, pairs, up)
        if legs is None:
            continue
        arms = _arms(skeleton, pairs, legs, up)
        top = 0 if arms is None else arms.base
        spine = _between(skeleton, legs.base, top)
        return Limbs(skeleton, up, legs, arms, spine, _neck(skeleton, legs, arms, up))
    name = skeleton.character.name
    raise CharacterError(
        f"'{name}' has no two legs: no two chains of at least 3 joints that mirror each other hang down from one "
        f"body in its rest pose. A person's motion goes on a robot with two legs."
    )


def side_of_names(names: tuple[str, ...]) -> str:
    """Which side names tell, "left", "right", or "" where they tell none or both."""
    told = set()
    for name in names:
        camel = _CAMEL.match(name)
        left = bool(_LEFT.search(name.replace("_", " "))) or (camel is not None and camel["side"] in "lL")
        right = bool(_RIGHT.search(name.replace("_", " "))) or (camel is not None and camel["side"] in "rR")
        if left != right:
            told.add("left" if left else "right")
    return told.pop() if len(told) == 1 else ""


def _pairs(skeleton: Skeleton, up: np.ndarray) -> list[Pair]:
    """Pairs of chains that mirror each other and lie inside no longer pair, the longest first."""
    found = []
    for base, children in enumerate(skeleton.children):
        for first, second in combinations(children, 2):
            chains = skeleton.chain(first), skeleton.chain(second)
            reach = min(skeleton.reaches[first], skeleton.reaches[second])
            apart = _middle(skeleton, chains[0]) - _middle(skeleton, chains[1])
            across = float(np.linalg.norm(apart))
            like = _alike(skeleton, *chains) and across > 0.0 and abs(apart @ up) < 0.2 * across
            if like and reach > 0.0:
                found.append(Pair(base, chains, reach))
    found.sort(key=lambda pair: -pair.reach)
    kept: list[Pair] = []
    for pair in found:
        way = set(skeleton.path(pair.base))
        if not any(limb[0] in way for other in kept for limb in other.limbs) and not any(
            set(pair.limbs[0]) & set(limb) or set(pair.limbs[1]) & set(limb) for other in kept for limb in other.limbs
        ):
            kept.append(pair)
    return kept


def _alike(skeleton: Skeleton, first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Whether two chains have segments of the same lengths, which no posture changes."""
    if len(first) != len(second):
        return False
    lengths = np.array([_steps(skeleton, chain) for chain in (first, second)])
    return bool(np.abs(lengths[0] - lengths[1]).sum() <= _LIKE * lengths.sum() / 2.0)


def _middle(skeleton: Skeleton, chain: tuple[int, ...]) -> np.ndarray:
    """Mean of the joints of a chain, [3]; clavicles may begin at one point, so the first joints alone tell no sides."""
    return np.asarray(np.mean([skeleton.parts[index].origin for index in chain], axis=0))


def _steps(skeleton: Skeleton, chain: tuple[int, ...]) -> np.ndarray:
    origins = np.array([skeleton.parts[index].origin for index in chain])
    return np.linalg.norm(np.diff(origins, axis=0), axis=1)


def _names(skeleton: Skeleton, chain: tuple[int, ...]) -> tuple[str, ...]:
    """Of the first bodies and the joints of a chain."""
    joints = (skeleton.parts[index].joint for index in chain)
    return (*(skeleton.parts[index].bodies[0] for index in chain), *(joint.name for joint in joints if joint))


def _drop(skeleton: Skeleton, pair: Pair, up: np.ndarray) -> float:
    """By how much the ends of a pair are below its beginnings at rest, as a share of its length."""
    falls = [(skeleton.parts[limb[0]].origin - skeleton.parts[limb[-1]].origin) @ up for limb in pair.limbs]
    return float(min(falls)) / pair.reach


def _legs(skeleton: Skeleton, pairs: list[Pair], up: np.ndarray) -> Pair | None:
    def end(pair: Pair) -> float:
        return float(min(skeleton.parts[limb[-1]].origin @ up for limb in pair.limbs))

    longest = max((pair.reach for pair in pairs), default=0.0)
    hanging = [
        pair
        for pair in pairs
        if len(pair.limbs[0]) >= 3
        and pair.reach > 0.3 * longest
        and _drop(skeleton, pair, up) > _HANGING
        and not any(_ARM.search(name) for name in _names(skeleton, pair.limbs[0]))
    ]
    if not hanging:
        return None
    legs = min(hanging, key=end)
    height = legs.reach
    for other in hanging:
        base = skeleton.parts[other.limbs[0][0]].origin @ up
        level = abs(base - skeleton.parts[legs.limbs[0][0]].origin @ up) < 0.1 * height
        if other is not legs and level and abs(end(other) - end(legs)) < 0.1 * height:
            raise CharacterError(
                f"'{skeleton.character.name}' has four legs or more; a person's motion goes on a robot with two."
            )
    return legs


def _arms(skeleton: Skeleton, pairs: list[Pair], legs: Pair, up: np.ndarray) -> Pair | None:
    hips = skeleton.parts[legs.limbs[0][0]].origin @ up
    for pair in pairs:
        above = skeleton.parts[pair.limbs[0][0]].origin @ up > hips
        if pair is not legs and above and len(pair.limbs[0]) >= 2 and pair.reach > _SHORTEST_ARM * legs.reach:
            return pair
    return None


def _between(skeleton: Skeleton, first: int, second: int) -> tuple[int, ...]:
    """Parts on the way from one part to another, both included."""
    outward, inward = skeleton.path(second), skeleton.path(first)
    shared = [one for one, other in zip(inward, outward, strict=False) if one == other]
    down = [index for index in reversed(inward) if index not in shared]
    return (*down, shared[-1], *(index for index in outward if index not in shared))


def _neck(skeleton: Skeleton, legs: Pair, arms: Pair | None, up: np.ndarray) -> tuple[int, ...]:
    """The chain above the arms that is no arm."""
    top = 0 if arms is None else arms.base
    limbs = {limb[0] for pair in (legs, arms) if pair is not None for limb in pair.limbs}
    way = set(_between(skeleton, legs.base, top))
    free = [index for index in skeleton.children[top] if index not in limbs and index not in way]
    height = skeleton.parts[legs.limbs[0][0]].origin @ up
    if arms is not None:
        height = skeleton.parts[arms.limbs[0][0]].origin @ up
    rising = [index for index in free if skeleton.parts[index].origin @ up > height - 0.05 * legs.reach]
    if not rising:
        return ()
    first = max(rising, key=lambda index: skeleton.reaches[index])
    chain = [first]
    while len(skeleton.children[chain[-1]]) == 1 and len(chain) < 4:
        chain.append(skeleton.children[chain[-1]][0])
    return tuple(chain)


def with_sides(limbs: Limbs, forward: np.ndarray) -> Limbs:
    """The same with left limbs first.

    Args:
        limbs: As found.
        forward: Where it faces, in the root's frame, [3].
    """
    left = np.cross(limbs.up, forward)

    def ordered(pair: Pair) -> Pair:
        sides = [_middle(limbs.skeleton, limb) @ left for limb in pair.limbs]
        return pair if sides[0] > sides[1] else Pair(pair.base, (pair.limbs[1], pair.limbs[0]), pair.reach)

    arms = None if limbs.arms is None else ordered(limbs.arms)
    return Limbs(limbs.skeleton, limbs.up, ordered(limbs.legs), arms, limbs.spine, limbs.neck)


def named_left(limbs: Limbs) -> np.ndarray | None:
    """The direction to the left side as names of the legs tell it, unit length, or None."""
    skeleton = limbs.skeleton
    told = {}
    for limb in limbs.legs.limbs:
        told[side_of_names(_names(skeleton, limb))] = _middle(skeleton, limb)
    if not all(side in told for side in SIDES):
        return None
    return _across(told["left"] - told["right"], limbs.up)


def legs_apart(limbs: Limbs) -> np.ndarray:
    """The direction from the second leg to the first, unit length, [3]."""
    first, second = (_middle(limbs.skeleton, limb) for limb in limbs.legs.limbs)
    return _across(first - second, limbs.up)


def _across(vector: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The horizontal part of a vector, unit length, snapped to an axis of the frame that it is near."""
    level = vector - (vector @ up) * up
    level = level / np.linalg.norm(level)
    axis = int(np.argmax(np.abs(level)))
    if abs(level[axis]) > 0.98:
        level = np.eye(3)[axis] * np.sign(level[axis])
    return np.asarray(level)
