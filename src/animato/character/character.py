"""The one model of a robot character that every part of animato works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar

from animato.character.body import Body
from animato.character.flexible_part import FlexiblePart
from animato.character.joint import WORLD, Joint, JointRole, JointType
from animato.character.landmarks import EndPoint, Marker, NamedPosture, Sole
from animato.character.vectors import Vector3, finite_vector
from animato.character.wiring import Bus, Wire, check_wiring
from animato.described import Described, shortened
from animato.errors import CharacterError, plural, unknown_name

Thing = TypeVar("Thing", Body, Joint, EndPoint, Sole, Marker, NamedPosture)


@dataclass(frozen=True, repr=False)
class Character(Described):
    """Bodies, joints and all that is known about them. Frozen, comparable, hashable.

    The joints may form any graph, closed loops included. A body held by a ground joint does not
    move; a character without a ground joint floats, and a clip then says where its root is.

    Attributes:
        name: What the character is called.
        bodies: At least one.
        joints: Each between two bodies, or between the world and one.
        flexible_parts: Parts that bend.
        end_points: Places that face, point, hold or draw.
        soles: Patches of feet.
        markers: Named points.
        postures: Named postures.
        ignored_collisions: Pairs of bodies that may touch.
        gravity: [m/s^2], in world coordinates.
        description: One line for people.
        buses: Lines on which its servos hang.
        wires: Which servo moves which coordinate.
    """

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...] = ()
    flexible_parts: tuple[FlexiblePart, ...] = ()
    end_points: tuple[EndPoint, ...] = ()
    soles: tuple[Sole, ...] = ()
    markers: tuple[Marker, ...] = ()
    postures: tuple[NamedPosture, ...] = ()
    ignored_collisions: tuple[tuple[str, str], ...] = ()
    gravity: Vector3 = (0.0, 0.0, -9.81)
    description: str = ""
    buses: tuple[Bus, ...] = ()
    wires: tuple[Wire, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "gravity", finite_vector(self.gravity, 3, f"The gravity of '{self.name}'"))
        if not self.bodies:
            raise CharacterError(f"Character '{self.name}' has no bodies; it needs at least one.")
        self._check_unique("body", [body.name for body in self.bodies] + [part.name for part in self.flexible_parts])
        self._check_unique("joint", [joint.name for joint in self.joints])
        self._check_unique("coordinate", list(self.coordinate_names))
        self._check_unique("end-point", [end_point.name for end_point in self.end_points])
        self._check_unique("sole", [sole.name for sole in self.soles])
        self._check_unique("marker", [marker.name for marker in self.markers])
        self._check_unique("posture", [posture.name for posture in self.postures])
        self._check_unique("bus", [bus.name for bus in self.buses])
        self._check_unique("wire", [wire.coordinate for wire in self.wires])
        check_wiring(self.buses, self.wires, self.name)
        self._check_references()

    def _check_unique(self, kind: str, names: list[str]) -> None:
        if "" in names:
            raise CharacterError(f"Character '{self.name}' has a {kind} without a name.")
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise CharacterError(
                f"The names of {plural(kind)} must differ; '{twice[0]}' stands twice in '{self.name}'."
            )
        if kind == "body" and WORLD in names:
            raise CharacterError(
                f"A body of '{self.name}' is called '{WORLD}'; that name is taken by the world itself."
            )

    def _check_references(self) -> None:
        known = {body.name for body in self.bodies}
        used: list[str] = []
        for joint in self.joints:
            used += [joint.child] if joint.type is JointType.GROUND else [joint.parent, joint.child]
            if joint.parent == joint.child:
                raise CharacterError(f"Joint '{joint.name}' connects body '{joint.child}' with itself.")
            if joint.coupling is not None:
                leader = self.joint(joint.coupling.leader)
                if not leader.is_free_coordinate or len(leader.coordinate_names) != 1:
                    raise CharacterError(
                        f"Joint '{joint.name}' follows '{leader.name}', which is not a free joint of one axis."
                    )
        places: list[EndPoint | Sole | Marker] = [*self.end_points, *self.soles, *self.markers]
        used += [place.body for place in places]
        used += [interface.body for part in self.flexible_parts for interface in part.interfaces]
        used += [name for pair in self.ignored_collisions for name in pair]
        for name in used:
            if name not in known:
                raise unknown_name("body", name, [body.name for body in self.bodies], self.name)
        coordinates = set(self.coordinate_names)
        for posture in self.postures:
            for name, _ in posture.values:
                if name not in coordinates:
                    raise unknown_name("coordinate", name, self.coordinate_names, self.name)

    def __hash__(self) -> int:
        """Of all fields; computed once, because what is known of a character is looked up by it again and again."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash(tuple(getattr(self, field.name) for field in fields(self)))
            object.__setattr__(self, "_hash", known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        """Without the hash, which is another one in another process."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def facts(self) -> dict[str, str]:
        """At a glance."""
        told = {
            "name": self.name,
            "bodies": str(len(self.bodies)),
            "coordinates": shortened(self.coordinate_names),
            "stands": "floating" if self.floats else "held in the world",
            "end-points": shortened([one.name for one in self.end_points]),
            "postures": shortened([one.name for one in self.postures]),
            "bends": shortened([one.name for one in self.flexible_parts]),
        }
        return {word: value for word, value in told.items() if value != "none"}

    @cached_property
    def free_joints(self) -> tuple[Joint, ...]:
        """The joints whose position a clip may state, in order."""
        return tuple(joint for joint in self.joints if joint.is_free_coordinate)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of all coordinates that a clip may state, in the order of the joints."""
        return tuple(name for joint in self.free_joints for name in joint.coordinate_names)

    @cached_property
    def actuated_coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates that motors drive."""
        driven = (joint for joint in self.free_joints if joint.role is JointRole.ACTUATED)
        return tuple(name for joint in driven for name in joint.coordinate_names)

    @property
    def floats(self) -> bool:
        """Whether nothing holds the character in the world."""
        return not any(joint.type is JointType.GROUND for joint in self.joints)

    def body(self, name: str) -> Body:
        """The body of that name."""
        return self._named("body", name, self.bodies)

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return self._named("joint", name, self.joints)

    def end_point(self, name: str) -> EndPoint:
        """The end-point of that name."""
        return self._named("end-point", name, self.end_points)

    def sole(self, name: str) -> Sole:
        """The sole of that name."""
        return self._named("sole", name, self.soles)

    def marker(self, name: str) -> Marker:
        """The marker of that name."""
        return self._named("marker", name, self.markers)

    def posture(self, name: str) -> NamedPosture:
        """The posture of that name."""
        return self._named("posture", name, self.postures)

    def _named(self, kind: str, name: str, things: Iterable[Thing]) -> Thing:
        for thing in things:
            if thing.name == name:
                return thing
        raise unknown_name(kind, name, [thing.name for thing in things], self.name)
