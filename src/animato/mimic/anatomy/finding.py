"""Finds what a robot has of a human body, without a configuration."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.character import Character, Sole
from animato.errors import CharacterError, unknown_name
from animato.mechanics.tree import packed_tree
from animato.mimic.anatomy.anatomy import Anatomy, BodyPoint
from animato.mimic.anatomy.facing import facing_axes
from animato.mimic.anatomy.landmark_points import arm_end, arm_points, central_points, leg_points, ordered
from animato.mimic.anatomy.limb_joints import arm_joints, leg_joints
from animato.mimic.anatomy.limbs import limbs_of, with_sides
from animato.mimic.anatomy.limit_notes import limit_notes
from animato.mimic.anatomy.skeleton import skeleton_of
from animato.mimic.anatomy.soles import foot_of
from animato.mimic.anatomy.standing import standing
from animato.mimic.person import LANDMARKS, SIDES


def anatomy_of(
    character: Character,
    *,
    points: Mapping[str, BodyPoint] | None = None,
    soles: Mapping[str, Sole] | None = None,
) -> Anatomy:
    """Finds the landmarks of a human body, the soles and a standing posture of a robot.

    Legs are the two chains of joints that mirror each other and hang lowest at rest, arms the two
    others. The knee is the joint of a leg that changes the distance of hip and ankle most. Names of
    joints and bodies only tell left from right.

    Args:
        character: Floats, and its joints form a tree.
        points: Landmark -> where it is instead of where it would be found.
        soles: "left" or "right" -> the sole to take instead.

    Raises:
        CharacterError: It is held in the world, has closed loops, or not two legs.
        UnknownNameError: A point or sole has a name that is none.
    """
    _check(character, points or {}, soles or {})
    skeleton = skeleton_of(character)
    found = limbs_of(skeleton)
    axes, told = facing_axes(found)
    limbs = with_sides(found, axes[0])
    legs = [leg_joints(skeleton, chain) for chain in limbs.legs.limbs]
    feet, placed, notes = [], [], [told]
    for side, leg in zip(SIDES, legs, strict=True):
        foot, note = foot_of(skeleton, side, leg, axes, (soles or {}).get(side))
        feet.append(foot)
        placed += leg_points(skeleton, leg, foot, axes)
        notes.append(note)
    chains = () if limbs.arms is None else limbs.arms.limbs
    ends = [arm_end(skeleton, side, chain) for side, chain in zip(SIDES, chains, strict=False)]
    arms = tuple(arm_joints(skeleton, chain, end) for chain, end in zip(chains, ends, strict=True))
    for side, arm, end in zip(SIDES, arms, ends, strict=False):
        more, note = arm_points(skeleton, side, arm, end)
        placed += more
        notes += [note] if note else []
    central, told_central = central_points(limbs, arms)
    chosen = {point.landmark: point for point in [*placed, *central]}
    chosen |= {name: _with_joint(point, chosen.get(name)) for name, point in (points or {}).items()}
    body_points = ordered(list(chosen.values()))
    trunk = tuple(joint.name for one in (*limbs.spine, *limbs.neck) if (joint := skeleton.parts[one].joint) is not None)
    stand, root, told_stand = standing(character, body_points, tuple(feet), axes, trunk)
    notes += [*told_central, told_stand, *limit_notes(character)]
    return Anatomy(character, body_points, tuple(feet), stand, tuple(notes), root)


def _with_joint(given: BodyPoint, found: BodyPoint | None) -> BodyPoint:
    """A given point, with the joint of the one that was found where the two are the same."""
    same = found is not None and given.body == found.body and np.allclose(given.position, found.position, atol=1e-6)
    return found if same and found is not None and not given.joint else given


def _check(character: Character, points: Mapping[str, BodyPoint], soles: Mapping[str, Sole]) -> None:
    if not character.floats:
        raise CharacterError(
            f"'{character.name}' is held in the world; a robot that walks floats. Load it with `base` 'float', or "
            f"remove its ground joint."
        )
    packed_tree(character)  # refuses closed loops
    bodies = [body.name for body in character.bodies]
    for name, point in points.items():
        if name not in LANDMARKS or point.landmark != name:
            raise unknown_name("landmark", name if name not in LANDMARKS else point.landmark, LANDMARKS, "a body")
        if point.body not in bodies:
            raise unknown_name("body", point.body, bodies, character.name)
        if not np.isfinite(point.position).all():
            raise CharacterError(f"The point of '{name}' must be finite, given {point.position}.")
    for side, sole in soles.items():
        if side not in SIDES:
            raise unknown_name("side", side, SIDES, "`soles`")
        if sole.body not in bodies:
            raise unknown_name("body", sole.body, bodies, character.name)
