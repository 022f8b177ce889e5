"""A character as other formats know robots: rigid, a tree of bodies, one axis after another, and cut loops."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from animato.character import FREEDOM, WORLD, Character, Joint, JointRole, JointType, Limits, Vector3
from animato.character.structure import baked, rigidified, topology_of
from animato.errors import CharacterError
from animato.spatial.rigid_transform import RigidTransform


class AxisKind(StrEnum):
    """What one axis does."""

    TURN = "turn"
    SLIDE = "slide"
    BALL = "ball"


@dataclass(frozen=True)
class PlainAxis:
    """One motion of a joint.

    Attributes:
        name: Of its coordinate; of the joint for a ball.
        kind: What it does.
        direction: In the joint's frame, a unit vector; of no meaning for a ball.
        limits: Of the axis, completed by the servo's.
    """

    name: str
    kind: AxisKind
    direction: Vector3
    limits: Limits


@dataclass(frozen=True, eq=False)
class PlainStep:
    """One joint of the tree, walked from the root outwards: T_parent_body = before @ motions in order @ after.

    Attributes:
        body: Name of the body that is reached.
        parent: Name of the body it hangs on; None on the world.
        joint: The joint; None for a floating root.
        before: T_parent_frame.
        after: T_frame_body.
        axes: Empty where nothing moves.
        reversed: Whether the joint is walked from its child to its parent; a ball then turns the other way.
    """

    body: str
    parent: str | None
    joint: Joint | None
    before: RigidTransform
    after: RigidTransform
    axes: tuple[PlainAxis, ...] = ()
    reversed: bool = False


@dataclass(frozen=True, eq=False)
class PlainTree:
    """The tree.

    Attributes:
        character: Rigid, its configurable joints fixed where they were set.
        steps: One a body, parents before children.
        ties: Joints that close loops, as steps from one placed body to another.
    """

    character: Character
    steps: tuple[PlainStep, ...]
    ties: tuple[PlainStep, ...]

    @property
    def driven(self) -> tuple[Joint, ...]:
        """The joints that have motors; of two in a gear the leader, where it has one."""
        return tuple(joint for joint in self.character.joints if self.drives(joint))

    def drives(self, joint: Joint | None) -> bool:
        """Whether a joint has a motor of its own."""
        if joint is None or joint.role is not JointRole.ACTUATED or not FREEDOM[joint.type]:
            return False
        gear = joint.coupling
        return gear is None or self.character.joint(gear.leader).role is not JointRole.ACTUATED

    def below(self, body: str | None) -> list[PlainStep]:
        """The steps that start at a body, or on the world."""
        return [step for step in self.steps if step.parent == body]


def plain_tree(character: Character) -> PlainTree:
    """Makes the tree. Loops are cut where least is lost: at balls and bare hinges before motors and gears.

    Args:
        character: Any.

    Raises:
        CharacterError: Some bodies are not connected to the rest.
    """
    whole = baked(rigidified(character))
    root = topology_of(whole).links[0]  # says which bodies hang in the air
    leaders = {joint.coupling.leader for joint in whole.joints if joint.coupling}
    kept, cut = _spanning(whole.joints, leaders)
    around: dict[str, list[Joint]] = {}
    for joint in kept:
        around.setdefault(joint.parent, []).append(joint)
        around.setdefault(joint.child, []).append(joint)
    steps, reached = [], {WORLD} if not whole.floats else {root.body}
    if whole.floats:
        steps.append(PlainStep(root.body, None, None, RigidTransform(), RigidTransform()))
    queue = deque(reached)
    while queue:
        here = queue.popleft()
        for joint in around.get(here, ()):
            there = joint.child if joint.parent == here else joint.parent
            if there not in reached:
                reached.add(there)
                queue.append(there)
                steps.append(_step(joint, backwards=joint.child == here))
    # A fixed joint is cut only where fixed joints hold its bodies together anyway.
    ties = tuple(_step(joint, backwards=False) for joint in cut if joint.type is not JointType.FIXED)
    return PlainTree(whole, tuple(steps), ties)


def check_distinct(names: Sequence[str], tree: PlainTree) -> None:
    """Refuses joints that would be written under one name.

    Args:
        names: Of all joints as they are written.
        tree: Whose.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise CharacterError(
            f"Two joints of '{tree.character.name}' would be written as '{twice[0]}', which is how an axis of a joint "
            f"of several is called. Rename one of them."
        )


def _spanning(joints: Sequence[Joint], leaders: set[str]) -> tuple[list[Joint], list[Joint]]:
    """The joints of a tree and those that are cut, both in the order of the character."""
    leader: dict[str, str] = {}

    def found(name: str) -> str:
        while name in leader:
            name = leader[name]
        return name

    kept = set()
    for joint in sorted(joints, key=lambda one: _ease_of_cut(one, leaders)):
        first, second = found(joint.parent), found(joint.child)
        if first != second:
            leader[second] = first
            kept.add(joint.name)
    return [joint for joint in joints if joint.name in kept], [joint for joint in joints if joint.name not in kept]


def _ease_of_cut(joint: Joint, leaders: set[str]) -> int:
    if not FREEDOM[joint.type]:
        return 0
    if joint.role is JointRole.ACTUATED or joint.coupling is not None or joint.name in leaders:
        return 1
    if not is_bare(joint, leaders) or joint.type not in (JointType.SPHERICAL, JointType.REVOLUTE):
        return 2
    return 3 if joint.type is JointType.REVOLUTE else 4


def is_bare(joint: Joint, leaders: set[str]) -> bool:
    """Whether a joint does nothing but move: no motor, gear, limit, damping, friction or rotor."""
    ranged = any(one != Limits() for one in joint.limits)
    tied = joint.role is JointRole.ACTUATED or joint.coupling is not None or joint.name in leaders
    return not (tied or ranged or joint.damping or joint.friction or joint.armature)


def _step(joint: Joint, *, backwards: bool) -> PlainStep:
    near, far = joint.frame_parent.transform, joint.frame_child.transform
    parent, body = joint.parent, joint.child
    axes = _axes(joint)
    if backwards:
        near, far, parent, body = far, near, body, parent
        axes = tuple(replace(axis, direction=_turned_round(axis.direction)) for axis in reversed(axes))
    on_world = None if parent == WORLD else parent
    return PlainStep(body, on_world, joint, near, far.inverse(), axes, backwards)


def _turned_round(direction: Vector3) -> Vector3:
    return (-direction[0], -direction[1], -direction[2])


def _axes(joint: Joint) -> tuple[PlainAxis, ...]:
    """The motions of a joint, in the order in which they are applied from the parent on."""
    kind = joint.type
    if not FREEDOM[kind]:
        return ()
    columns = [tuple(column.tolist()) for column in joint.axes.T]
    turn, slide = AxisKind.TURN, AxisKind.SLIDE
    plans: dict[JointType, tuple[tuple[AxisKind, int], ...]] = {
        JointType.REVOLUTE: ((turn, 0),),
        JointType.PRISMATIC: ((slide, 0),),
        JointType.CYLINDRICAL: ((slide, 0), (turn, 0)),
        JointType.UNIVERSAL: ((turn, 0), (turn, 1)),
        JointType.CARTESIAN: ((slide, 0), (slide, 1), (slide, 2)),
    }
    if kind is JointType.SPHERICAL:
        return (PlainAxis(joint.name, AxisKind.BALL, columns[0], joint.limits[0]),)
    parts = zip(joint.coordinate_names, plans[kind], joint.limits, strict=True)
    return tuple(PlainAxis(name, what, columns[column], limits) for name, (what, column), limits in parts)
