"""Whom the benchmark of fix works on: characters that come with animato, and upper bodies held at the root."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from animato.character import Character, EndPoint, Joint, JointRole, JointType
from animato.character.structure import topology_of
from animato.formats import load_character
from benchmarks.mimic_cases import DATA

G1_POINTS = {"head": "head_link", "left_hand": "left_rubber_hand", "right_hand": "right_rubber_hand"}
"""Named points of the G1, whose file names none, and their bodies."""

FLANGE_KG, LOAD_KG = 0.8, 16.0
"""The last body of `arm6`, and what `arm6_loaded` carries on it: more than its elbow can hold when stretched out."""

LEGS = ("hip", "knee", "ankle")
"""Words in the names of joints that an upper body holds."""


@lru_cache
def character(name: str) -> Character:
    """A character of the benchmark.

    Args:
        name: `pico_bust` and `g1_bust` are upper bodies held at the pelvis, `arm6_loaded` has a load; others come with
            animato.
    """
    if name == "pico_bust":
        return _bust(load_character("pico"), "pelvis", name)
    if name == "g1_bust":
        whole = load_character(DATA / "robots" / "g1" / "g1_29dof_rev_1_0.urdf")
        points = tuple(EndPoint(point, body) for point, body in G1_POINTS.items())
        return replace(_bust(whole, "pelvis", name), end_points=points)
    if name == "arm6_loaded":
        arm = load_character("arm6")
        heavy = replace(arm.body("flange"), mass=FLANGE_KG + LOAD_KG)
        bodies = tuple(heavy if one.name == "flange" else one for one in arm.bodies)
        return replace(arm, name=name, bodies=bodies)
    return load_character(name)


@lru_cache
def whole_character(name: str) -> Character:
    """Whom captures are transferred to: an upper body with its legs, which say where the hips of a person are."""
    if name == "pico_bust":
        return load_character("pico")
    return load_character(DATA / "robots" / "g1" / "g1_29dof_rev_1_0.urdf") if name == "g1_bust" else character(name)


def _bust(whole: Character, root: str, name: str) -> Character:
    """The upper body: legs stiff as at rest, and the root held in the world."""
    assert topology_of(whole).is_tree
    ground = Joint("ground", JointType.GROUND, "world", root)
    joints = (ground, *(_stiff(joint) if _of_leg(joint.name) else joint for joint in whole.joints))
    kept = {coordinate for joint in joints if joint.is_free_coordinate for coordinate in joint.coordinate_names}
    postures = tuple(
        replace(one, values=tuple(pair for pair in one.values if pair[0] in kept)) for one in whole.postures
    )
    return replace(whole, name=name, joints=joints, soles=(), postures=postures)


def _of_leg(name: str) -> bool:
    return any(word in name for word in LEGS)


def _stiff(joint: Joint) -> Joint:
    return Joint(
        joint.name,
        JointType.FIXED,
        joint.parent,
        joint.child,
        JointRole.PASSIVE,
        joint.frame_parent,
        joint.frame_child,
    )
