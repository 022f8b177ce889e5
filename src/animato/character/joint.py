"""Joints: all eight types, passive, actuated or configurable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from animato.character.frame import HERE, Frame
from animato.character.limits import FREE, Limits
from animato.character.manner import UNSAID, Manner
from animato.character.servo import Actuator
from animato.character.vectors import X_AXIS, Y_AXIS, Vector, Vector3, finite_vector, unit_vector
from animato.errors import CharacterError

WORLD = "world"


class JointType(StrEnum):
    """The joint types of Maloisel et al. (2023), Table 1."""

    CARTESIAN = "cartesian"
    SPHERICAL = "spherical"
    CYLINDRICAL = "cylindrical"
    UNIVERSAL = "universal"
    PRISMATIC = "prismatic"
    REVOLUTE = "revolute"
    FIXED = "fixed"
    GROUND = "ground"


class JointRole(StrEnum):
    """Passive joints follow, actuated ones are driven, configurable ones are set once by a design."""

    PASSIVE = "passive"
    ACTUATED = "actuated"
    CONFIGURABLE = "configurable"


COORDINATE_SUFFIXES: dict[JointType, tuple[str, ...]] = {
    JointType.CARTESIAN: (".x", ".y", ".z"),
    JointType.SPHERICAL: (".qw", ".qx", ".qy", ".qz"),
    JointType.CYLINDRICAL: (".slide", ".turn"),
    JointType.UNIVERSAL: (".first", ".second"),
    JointType.PRISMATIC: ("",),
    JointType.REVOLUTE: ("",),
    JointType.FIXED: (),
    JointType.GROUND: (),
}
"""What is appended to a joint's name to name its coordinates; they stand in this order."""

FREEDOM: dict[JointType, int] = {
    JointType.CARTESIAN: 3,
    JointType.SPHERICAL: 3,
    JointType.CYLINDRICAL: 2,
    JointType.UNIVERSAL: 2,
    JointType.PRISMATIC: 1,
    JointType.REVOLUTE: 1,
    JointType.FIXED: 0,
    JointType.GROUND: 0,
}
"""Degrees of freedom a joint leaves between its two bodies."""

LIMIT_COUNT: dict[JointType, int] = {**FREEDOM, JointType.SPHERICAL: 1}
"""How many `Limits` a joint has: one an axis, and one on magnitudes for a spherical joint."""


@dataclass(frozen=True)
class Coupling:
    """A gear: this joint's position is `ratio * leader's position + offset`.

    Attributes:
        leader: Name of the joint that is followed.
        ratio: Positions of this joint per position of the leader.
        offset: [rad or m].
    """

    leader: str
    ratio: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        ratio, offset = finite_vector([self.ratio, self.offset], 2, f"The ratio and offset to joint '{self.leader}'")
        object.__setattr__(self, "ratio", ratio)
        object.__setattr__(self, "offset", offset)


@dataclass(frozen=True)
class Joint:
    """A connection of two bodies, T_parent_child(q) = frame_parent @ motion(q) @ frame_child^-1.

    `motion(q)` is expressed in the joint's frame by its axes a_x = `axis`, a_y = `second_axis`,
    a_z = a_x x a_y:

    | type | coordinates | motion |
    |---|---|---|
    | revolute | angle | turn about a_x |
    | prismatic | distance | slide along a_x |
    | cylindrical | slide, turn | slide along a_x, turn about a_x |
    | universal | first, second | turn about a_x, then about the turned a_y |
    | spherical | qw, qx, qy, qz | turn by a unit quaternion |
    | cartesian | x, y, z | slide along a_x, a_y, a_z |
    | fixed | none | none |
    | ground | none | the child is held in the world; its parent is "world" |

    Attributes:
        name: Unique among the character's joints.
        type: One of the eight.
        parent: Name of body A, or "world" for a ground joint.
        child: Name of body B.
        role: Passive, actuated or configurable; None becomes actuated, or passive where nothing moves.
        frame_parent: The joint's frame on the parent.
        frame_child: The joint's frame on the child.
        axis: a_x in the joint's frame.
        second_axis: a_y in the joint's frame, made orthogonal to a_x; counts for universal,
            cartesian and the constraint rows of a mechanism.
        stated_limits: One `Limits` an axis (one for a spherical joint); empty means free. What an
            actuator's servo adds to them is in `limits`.
        actuator: What drives the joint, where known.
        coupling: Set where a gear or linkage ties the joint to another one.
        configuration: Coordinates at which a configurable joint is set; empty means neutral.
        damping: [N m s/rad, or N s/m].
        friction: Dry friction [N m, or N].
        armature: Inertia of the rotor seen at the joint [kg m^2, or kg].
        manner: How all its axes move inside their limits.
    """

    name: str
    type: JointType
    parent: str
    child: str
    role: JointRole | None = None
    frame_parent: Frame = HERE
    frame_child: Frame = HERE
    axis: Vector3 = X_AXIS
    second_axis: Vector3 | None = None
    stated_limits: tuple[Limits, ...] = ()
    actuator: Actuator | None = None
    coupling: Coupling | None = None
    configuration: Vector = ()
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    manner: Manner = UNSAID

    def __post_init__(self) -> None:
        owner = f"joint '{self.name}'"
        object.__setattr__(self, "type", JointType(self.type))
        moves = FREEDOM[self.type] > 0
        default = JointRole.ACTUATED if moves else JointRole.PASSIVE
        object.__setattr__(self, "role", default if self.role is None else JointRole(self.role))
        object.__setattr__(self, "axis", unit_vector(self.axis, 3, f"The axis of {owner}"))
        if self.second_axis is not None:
            second = unit_vector(self.second_axis, 3, f"The second axis of {owner}")
            if abs(float(np.dot(second, self.axis))) > 1.0 - 1e-6:
                raise CharacterError(f"The two axes of {owner} must not be parallel: {self.axis}, {second}.")
            object.__setattr__(self, "second_axis", second)
        for name in ("damping", "friction", "armature"):
            (value,) = finite_vector([getattr(self, name)], 1, f"The {name} of {owner}")
            if value < 0.0:
                raise CharacterError(f"The {name} of {owner} must not be negative, given {value}.")
            object.__setattr__(self, name, value)
        self._check_type(owner)

    def _check_type(self, owner: str) -> None:
        if (self.parent == WORLD) != (self.type is JointType.GROUND):
            raise CharacterError(
                f"A ground joint, and only a ground joint, has the parent '{WORLD}'; "
                f"{owner} is {self.type.value} with parent '{self.parent}'."
            )
        if self.type is JointType.FIXED and self.role is not JointRole.PASSIVE:
            raise CharacterError(f"{owner.capitalize()} is fixed, so it can only be passive, not {self.role}.")
        allowed = LIMIT_COUNT[self.type]
        if len(self.stated_limits) not in (0, allowed):
            raise CharacterError(
                f"{owner.capitalize()} is {self.type.value} and takes {allowed} limits, "
                f"given {len(self.stated_limits)}."
            )
        if self.coupling is not None and FREEDOM[self.type] != 1:
            raise CharacterError(f"{owner.capitalize()} is {self.type.value}; only one-axis joints can be coupled.")
        count = len(COORDINATE_SUFFIXES[self.type])
        if not self.configuration:
            return
        if self.role is not JointRole.CONFIGURABLE:
            raise CharacterError(f"A configuration is for configurable joints only; {owner} is {self.role}.")
        numbers = finite_vector(self.configuration, count, f"The configuration of {owner}")
        object.__setattr__(self, "configuration", numbers)

    @property
    def axes(self) -> np.ndarray:
        """Columns a_x, a_y, a_z in the joint's frame, orthonormal and right-handed, shape [3, 3]."""
        first = np.array(self.axis)
        guess = np.array(self.second_axis) if self.second_axis is not None else np.array(Y_AXIS)
        if self.second_axis is None and abs(first @ guess) > 0.9:
            guess = np.array((0.0, 0.0, 1.0))
        second = guess - first * (first @ guess)
        second /= np.linalg.norm(second)
        return np.column_stack([first, second, np.cross(first, second)])

    @cached_property
    def limits(self) -> tuple[Limits, ...]:
        """The limits that hold, one an axis: those stated, completed by the servo's."""
        stated = self.stated_limits or (FREE,) * LIMIT_COUNT[self.type]
        return tuple(self.actuator.completed(one) for one in stated) if self.actuator else stated

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates of this joint, in order; the joint's own name where it is one."""
        return tuple(self.name + suffix for suffix in COORDINATE_SUFFIXES[self.type])

    @property
    def neutral(self) -> Vector:
        """Coordinates of the pose in which the two frames coincide."""
        return (1.0, 0.0, 0.0, 0.0) if self.type is JointType.SPHERICAL else (0.0,) * len(self.coordinate_names)

    @property
    def is_free_coordinate(self) -> bool:
        """Whether a clip says where this joint is: it moves, is not set by design and follows no leader."""
        return FREEDOM[self.type] > 0 and self.role is not JointRole.CONFIGURABLE and self.coupling is None
