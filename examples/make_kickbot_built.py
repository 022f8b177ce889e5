"""The kickbot as built: takes the optimized design and makes one part of everything that a design has set.

Counts as in Maloisel et al. (2023), Table 5, Kickbot (2): 15 components, 14 motors. The motors are slower than the
kick asks for.
"""

from __future__ import annotations

from dataclasses import replace

import animato as an

VELOCITY = 1.8  # [rad/s] of all motors


def kickbot_built() -> an.Character:
    """Solves the design and bolts it together."""
    kick = an.gallery.design.demonstrator("kickbot")
    optimized = an.design.solve(kick.problem(an.load_character(kick.character))).optimized
    # Zero is where it stands before the kick.
    standing = dict(zip(optimized.problem.mechanism.control_names, optimized.point.controls[0].tolist(), strict=True))
    straight = an.character.structure.rezeroed(
        an.character.structure.baked(optimized.character), {name: (angle,) for name, angle in standing.items()}
    )
    return replace(
        bolted(straight),
        postures=(an.character.NamedPosture("rest", tuple((name, 0.0) for name in standing)),),
        name="kickbot_built",
        description="The kickbot with its axes where the design put them, 14 slow motors",
    )


def bolted(character: an.Character) -> an.Character:
    """Makes one body of all bodies that fixed joints hold together, named after the one named first."""
    leader = {body.name: body.name for body in character.bodies}
    fixed = [joint for joint in character.joints if joint.type is an.character.JointType.FIXED]
    for joint in fixed:
        old, new = sorted((leader[joint.parent], leader[joint.child]), key=list(leader).index, reverse=True)
        leader = {name: new if first == old else first for name, first in leader.items()}
    rest = an.character.structure.rest_poses(character)
    offset = {name: rest[first].inverse() @ rest[name] for name, first in leader.items()}
    bodies = []
    for name in dict.fromkeys(leader.values()):
        parts = [body for body in character.bodies if leader[body.name] == name]
        shapes = tuple(
            replace(shape, frame=_moved(offset[body.name], shape.frame)) for body in parts for shape in body.shapes
        )
        bodies.append(an.character.Body(name, round(sum(body.mass or 0.0 for body in parts), 6), shapes=shapes))
    markers = [
        an.character.Marker(
            one.name, leader[one.body], _moved(offset[one.body], an.character.Frame(one.position)).position
        )
        for one in character.markers
    ]
    joints = [_on_leaders(joint, leader, offset) for joint in character.joints if joint not in fixed]
    return replace(character, bodies=tuple(bodies), joints=tuple(joints), markers=tuple(markers))


def _on_leaders(
    joint: an.character.Joint, leader: dict[str, str], offset: dict[str, an.spatial.rigid_transform.RigidTransform]
) -> an.character.Joint:
    child = _moved(offset[joint.child], joint.frame_child)
    if joint.type is an.character.JointType.GROUND:
        return replace(joint, child=leader[joint.child], frame_child=child)
    limits = tuple(an.character.Limits(one.lower, one.upper, VELOCITY) for one in joint.stated_limits)
    parent = _moved(offset[joint.parent], joint.frame_parent)
    parts = {"parent": leader[joint.parent], "child": leader[joint.child]}
    return replace(joint, **parts, frame_parent=parent, frame_child=child, stated_limits=limits)


def _moved(by: an.spatial.rigid_transform.RigidTransform, frame: an.character.Frame) -> an.character.Frame:
    """A frame of one body on another, rounded to a millionth of a metre."""
    there = by @ frame.transform
    position = tuple(round(float(value), 6) + 0.0 for value in there.position)
    return an.character.Frame(position, tuple(round(float(value), 9) + 0.0 for value in there.quaternion_wxyz))


if __name__ == "__main__":
    an.save("src/animato/library/characters/kickbot_built.yaml", kickbot_built())
