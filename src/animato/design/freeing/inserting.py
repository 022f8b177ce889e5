"""Configurable joints put into a robot that has none: the parameterization of Maloisel et al. (2023), Fig. 2.

A configurable joint stands between a body and a new one without mass or shape; while all are neutral the robot is as
it was loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from animato.character import (
    AXES,
    HERE,
    Body,
    Character,
    EndPoint,
    Frame,
    Joint,
    JointRole,
    JointType,
    Limits,
    Marker,
    Sole,
)
from animato.character.structure import rest_poses, topology_of
from animato.design.freeing.freedom import Freedom, as_freedom
from animato.errors import OptionError

_TILT = float(np.radians(30.0))
_SIZE_SHARE = 0.05
_LENGTH_SHARE = 0.3

_HAS_AXIS = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.CYLINDRICAL, JointType.UNIVERSAL)


def freed(character: Character, freedoms: Sequence[Freedom | str] | Freedom | str) -> Character:
    """The same robot with more to design.

    Args:
        character: Any, with loops or without.
        freedoms: What may change, as `Freedom` or in words: "knee:axis:20" [deg], "hip:position:0.02,0,0.01" [m],
            "shank:length:0.05" [m], "mount:orientation:30" [deg].

    Returns:
        The character with configurable joints `<joint>.axis` and `<joint>.axis_back`, `<joint>.orientation`,
        `<joint>.position` (one for each axis where not all are free) or `<body>.length`. All are neutral, and all
        bodies, joints and coordinates that were there are there still.

    Raises:
        OptionError: Something that this joint or body does not have.
        UnknownNameError: A joint or body that does not exist.
    """
    words = [freedoms] if isinstance(freedoms, Freedom | str) else list(freedoms)
    ways = {"axis": _free_axis, "orientation": _free_orientation, "position": _free_position, "length": _free_length}
    size = _size(character)
    for freedom in map(as_freedom, words):
        character = ways[freedom.what](character, freedom, size)
    return character


def _free_axis(character: Character, freedom: Freedom, size: float) -> Character:
    """A tilt before the joint and one behind it, both across its axis: a turn about the axis is the motor's."""
    joint = _joint(character, freedom)
    if joint.type not in _HAS_AXIS:
        raise OptionError(
            f"Joint '{joint.name}' is {joint.type} and has no axis to tilt; free its `orientation` or `position`."
        )
    _, second, third = (tuple(column.tolist()) for column in joint.axes.T)
    limits = _symmetric(*(freedom.most or (_TILT,)) * 2)
    before, after = f"{joint.name}.tilted", f"{joint.name}.tilted_back"
    tilt = Joint(
        f"{joint.name}.axis", JointType.UNIVERSAL, joint.parent, before, JointRole.CONFIGURABLE,
        joint.frame_parent, HERE, second, third, limits,
    )  # fmt: skip
    back = Joint(
        f"{joint.name}.axis_back", JointType.UNIVERSAL, after, joint.child, JointRole.CONFIGURABLE,
        HERE, joint.frame_child, third, second, limits,
    )  # fmt: skip
    moved = replace(joint, parent=before, child=after, frame_parent=HERE, frame_child=HERE)
    return _inserted(character, joint, (tilt, moved, back), (before, after))


def _free_orientation(character: Character, freedom: Freedom, size: float) -> Character:
    joint = _joint(character, freedom)
    mount = f"{joint.name}.turned"
    turn = Joint(
        f"{joint.name}.orientation", JointType.SPHERICAL, joint.parent, mount, JointRole.CONFIGURABLE,
        joint.frame_parent, HERE, stated_limits=(Limits(upper=(freedom.most or (_TILT,))[0]),),
    )  # fmt: skip
    return _inserted(character, joint, (turn, replace(joint, parent=mount, frame_parent=HERE)), (mount,))


def _free_position(character: Character, freedom: Freedom, size: float) -> Character:
    """One slide along each axis of the parent that is free, or a joint of three."""
    joint = _joint(character, freedom)
    most = freedom.most or (_SIZE_SHARE * size,)
    most = most * 3 if len(most) == 1 else most
    turn = Frame((0.0, 0.0, 0.0), joint.frame_parent.quaternion_wxyz)
    place = Frame(joint.frame_parent.position)
    if min(most) > 0.0:
        mount = f"{joint.name}.moved"
        slides = [
            Joint(
                f"{joint.name}.position", JointType.CARTESIAN, joint.parent, mount, JointRole.CONFIGURABLE,
                place, HERE, stated_limits=_symmetric(*most),
            )
        ]  # fmt: skip
        mounts = [mount]
    else:
        mounts, slides = [], []
        for letter, far in zip("xyz", most, strict=True):
            if far > 0.0:
                below, at = (mounts[-1], HERE) if mounts else (joint.parent, place)
                mounts.append(f"{joint.name}.moved_{letter}")
                slides.append(
                    Joint(
                        f"{joint.name}.position.{letter}", JointType.PRISMATIC, below, mounts[-1],
                        JointRole.CONFIGURABLE, at, HERE, AXES[letter], stated_limits=_symmetric(far),
                    )
                )  # fmt: skip
    moved = replace(joint, parent=mounts[-1], frame_parent=turn)
    return _inserted(character, joint, (*slides, moved), tuple(mounts))


def _free_length(character: Character, freedom: Freedom, size: float) -> Character:
    """A slide along the body; what is beyond its middle goes to a new body at its far end."""
    body = character.body(freedom.name).name
    link = next(link for link in topology_of(character).links if link.body == body)
    near = np.zeros(3) if link.joint is None else _place(link.joint, body)
    joints = [joint for joint in character.joints if body in (joint.parent, joint.child) and joint is not link.joint]
    everything: list[EndPoint | Marker | Sole] = [*character.end_points, *character.markers, *character.soles]
    landmarks = [one for one in everything if one.body == body]
    ends = [_place(joint, body) for joint in joints] or [_middle(one) for one in landmarks]
    reach = max((float(np.linalg.norm(end - near)) for end in ends), default=0.0)
    if reach < 1e-9:
        raise OptionError(
            f"Body '{body}' has no length to change: beside the joint it hangs on it has no other joint, end-point, "
            "marker or sole. Add an end-point at its far end, or free the `position` of a joint."
        )
    along = next(end - near for end in ends if np.linalg.norm(end - near) == reach) / reach
    far = f"{body}.end"

    def beyond(point: np.ndarray) -> bool:
        return float((point - near) @ along) > 0.5 * reach

    moved = {joint.name for joint in joints if beyond(_place(joint, body))}
    carried = {id(one) for one in landmarks if beyond(_middle(one))}
    most = freedom.most or (_LENGTH_SHARE * reach,)
    shorter, longer = most if len(most) == 2 else most * 2
    if shorter >= reach:
        raise OptionError(f"Body '{body}' is {reach:.4g} m long; it cannot become shorter by {shorter:.4g} m.")
    slide = Joint(
        f"{body}.length", JointType.PRISMATIC, body, far, JointRole.CONFIGURABLE,
        axis=tuple(along.tolist()), stated_limits=(Limits(-shorter, longer),),
    )  # fmt: skip
    others = tuple(_hung(joint, body, far) if joint.name in moved else joint for joint in character.joints)
    return replace(
        character,
        bodies=(*character.bodies, Body(far)),
        joints=(*others, slide),
        end_points=tuple(replace(one, body=far) if id(one) in carried else one for one in character.end_points),
        markers=tuple(replace(one, body=far) if id(one) in carried else one for one in character.markers),
        soles=tuple(replace(one, body=far) if id(one) in carried else one for one in character.soles),
    )


def _joint(character: Character, freedom: Freedom) -> Joint:
    joint = character.joint(freedom.name)
    if joint.type is JointType.GROUND:
        raise OptionError(
            f"Joint '{joint.name}' holds '{character.name}' in the world, which is no part of its design. Place the "
            "target instead."
        )
    return joint


def _inserted(character: Character, old: Joint, new: tuple[Joint, ...], bodies: tuple[str, ...]) -> Character:
    """The character with several joints in the place of one, and bodies between them."""
    joints = tuple(one for joint in character.joints for one in (new if joint is old else (joint,)))
    return replace(character, bodies=(*character.bodies, *map(Body, bodies)), joints=joints)


def _hung(joint: Joint, body: str, other: str) -> Joint:
    return replace(joint, child=other) if joint.child == body else replace(joint, parent=other)


def _place(joint: Joint, body: str) -> np.ndarray:
    """Where a joint is on one of its bodies [m]."""
    return np.array((joint.frame_child if joint.child == body else joint.frame_parent).position)


def _middle(one: EndPoint | Marker | Sole) -> np.ndarray:
    if isinstance(one, Sole):
        return np.mean(one.corners, axis=0)
    return np.array(one.position if isinstance(one, Marker) else one.frame.position)


def _symmetric(*most: float) -> tuple[Limits, ...]:
    return tuple(Limits(-far, far) for far in most)


def _size(character: Character) -> float:
    """Diagonal of the box around all bodies at rest [m]; 1 where they are one point."""
    size = float(np.linalg.norm(np.ptp([pose.position for pose in rest_poses(character).values()], axis=0)))
    return size if size > 1e-9 else 1.0
