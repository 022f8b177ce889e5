"""Gears whose motor sits on the side that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from animato.character import Coupling, Joint, JointRole


def led_by_motors(joints: Sequence[Joint]) -> tuple[Joint, ...]:
    """The same joints, each group of gears led by a joint that is actuated, where it has one.

    A gear has no direction: f = r l + o says as well l = (f - o) / r. Files name as leader whichever
    joint comes first; a motor on a follower then drives the leader and all that follow it.

    Args:
        joints: Of a character; a leader follows nobody itself.
    """
    leads = {joint.coupling.leader for joint in joints if joint.coupling is not None}
    turned: dict[str, tuple[str, float, float]] = {}  # old leader: (new leader, r, o) of f = r l + o
    for leader in (joint for joint in joints if joint.name in leads and joint.role is JointRole.PASSIVE):
        for joint in joints:
            gear = joint.coupling
            if gear and gear.leader == leader.name and joint.role is JointRole.ACTUATED and gear.ratio:
                turned[leader.name] = (joint.name, gear.ratio, gear.offset)
                break
    return tuple(_turned(joint, turned) for joint in joints) if turned else tuple(joints)


def _turned(joint: Joint, turned: dict[str, tuple[str, float, float]]) -> Joint:
    gear = joint.coupling
    if joint.name in turned:
        name, ratio, offset = turned[joint.name]
        return replace(joint, coupling=Coupling(name, 1.0 / ratio, -offset / ratio))
    if gear is None or gear.leader not in turned:
        return joint
    name, ratio, offset = turned[gear.leader]
    if joint.name == name:
        return replace(joint, coupling=None)
    share = gear.ratio / ratio
    return replace(joint, coupling=Coupling(name, share, gear.offset - share * offset))
