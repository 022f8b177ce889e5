"""What a mechanism is made of, in numbers, and what of it moves idly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from animato.character import Joint, JointRole, JointType


@dataclass(frozen=True)
class MechanismCounts:
    """The columns of Maloisel et al. (2023), Table 5, and what follows from them.

    Attributes:
        components: Bodies.
        joints: How many joints there are of each (type, role).
        state_variables: Seven a body.
        constraints: All rows: those of the joints, of actuators and one unit row a body.
        redundant_passive: Rows of passive and configurable joints that follow from the others.
        redundant_active: Actuator rows beyond what there is to move.
        control_variables: Parameters of actuators; four for a spherical one.
        design_variables: Parameters of configurable joints.
        mobility: Degrees of freedom with all actuators free, without idle ones.
        loops: Independent loops of the graph of bodies, the world included.
        idle: Rods that could spin without moving anything else, and are held; each has one of the constraints.
    """

    components: int
    joints: dict[tuple[JointType, JointRole], int]
    state_variables: int
    constraints: int
    redundant_passive: int
    redundant_active: int
    control_variables: int
    design_variables: int
    mobility: int
    loops: int
    idle: int = 0

    def joint_count(self, kind: JointType, role: JointRole = JointRole.PASSIVE) -> int:
        """How many joints of a type have a role."""
        return self.joints.get((JointType(kind), JointRole(role)), 0)


def joints_by_type(joints: Sequence[Joint]) -> dict[tuple[JointType, JointRole], int]:
    """How many joints there are of each (type, role), in the order they first appear."""
    return dict(Counter((joint.type, JointRole(joint.role or JointRole.PASSIVE)) for joint in joints))


@dataclass(frozen=True)
class IdleSpin:
    """Bodies that can turn about a line of their own, as a rod does between two ball joints.

    Attributes:
        bodies: What turns, as one piece.
        joints: What holds it to the rest.
        against: The body in which its turn is held.
        drags: By how much its turn moves other bodies, as a share; 0 where it is truly idle.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    against: str
    drags: float = 0.0

    def words(self) -> str:
        """For people."""
        names = " and ".join(f"'{name}'" for name in self.bodies)
        between = " and ".join(f"'{name}'" for name in self.joints)
        else_moves = f"almost without moving anything else ({100.0 * self.drags:.2g} %)"
        rest = else_moves if self.drags else "without moving anything else"
        return f"{names} can spin between {between} {rest}; held as '{self.against}' turns"
