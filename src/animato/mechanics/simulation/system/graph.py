"""The graph of bodies and flexible parts, and the spanning tree on which coordinates stand.

Nodes are the world, bodies, and stations: places of a rod where it is clamped or ends. Edges are joints, clamps and
pieces of rods between stations. Motors, gears and flexible parts must be in the tree; loops are closed, in this order
of preference, by ball joints, universal joints, other passive joints, and clamps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from animato.character import WORLD, Bar, Character, FlexiblePart, Joint, JointRole, JointType, Rod
from animato.errors import CharacterError
from animato.mechanics.flexible.reduction import ReducedPart
from animato.spatial.rigid_transform import RigidTransform

_PLACE_TOLERANCE = 1e-9  # share of a rod's length within which two places are one


@dataclass(frozen=True, eq=False)
class Weld:
    """A clamp: two frames that are one.

    Attributes:
        name: For people.
        near, far: Names of the nodes.
        near_frame, far_frame: T_node_frame.
    """

    name: str
    near: str
    far: str
    near_frame: RigidTransform
    far_frame: RigidTransform


@dataclass(frozen=True, eq=False)
class RodPiece:
    """A piece of a rod between two stations.

    Attributes:
        part: The flexible part.
        name: Of the piece.
        near, far: Names of its stations, the near one towards the rod's origin.
        start: Arc length of the near one [m].
        length: [m].
    """

    part: FlexiblePart
    name: str
    near: str
    far: str
    start: float
    length: float


@dataclass(frozen=True, eq=False)
class PartArm:
    """What a reduced part does between its frame and one of its far interfaces.

    Attributes:
        part: The flexible part.
        name: Of the arm.
        near, far: Names of the nodes: the part itself, and its interface.
        number: Of the far interface, from 0 on.
    """

    part: FlexiblePart
    name: str
    near: str
    far: str
    number: int


Edge = Joint | Weld | RodPiece | PartArm


@dataclass(frozen=True, eq=False)
class Branch:
    """An edge of the spanning tree, walked from a node to another one."""

    edge: Edge
    start: str
    end: str

    @property
    def backward(self) -> bool:
        """Whether a joint is walked from child to parent, or a piece towards the rod's origin."""
        return self.start == ends_of(self.edge)[1]


@dataclass(frozen=True, eq=False)
class Span:
    """A spanning tree, depth first, and the edges that close loops."""

    branches: tuple[Branch, ...]
    closers: tuple[Joint | Weld, ...]


def ends_of(edge: Edge) -> tuple[str, str]:
    """The two nodes of an edge."""
    return (edge.parent, edge.child) if isinstance(edge, Joint) else (edge.near, edge.far)


def rod_edges(part: FlexiblePart) -> list[Edge]:
    """Pieces and clamps of a rod.

    Raises:
        CharacterError: A clamp lies beyond the ends of the rod.
    """
    assert isinstance(part.geometry, Rod | Bar)
    length = part.geometry.length
    places: list[float] = []
    for interface in part.interfaces:
        place = interface.frame_part.position[2]
        if not -_PLACE_TOLERANCE * length <= place <= (1.0 + _PLACE_TOLERANCE) * length:
            raise CharacterError(
                f"Flexible part '{part.name}' is clamped to '{interface.body}' at z = {place:g} m, beyond its ends at "
                f"0 and {length:g} m. Correct the position of that interface's frame on the part."
            )
        places.append(min(max(place, 0.0), length))
    stations = _merged([0.0, length, *places], _PLACE_TOLERANCE * length)
    names = [f"{part.name} at {place:g} m" for place in stations]
    edges: list[Edge] = []
    for number, (interface, place) in enumerate(zip(part.interfaces, places, strict=True)):
        near = min(range(len(stations)), key=lambda n: abs(stations[n] - place))
        on_station = RigidTransform((0.0, 0.0, -stations[near])) @ interface.frame_part.transform
        clamp = f"{part.name} clamp {number}"
        edges.append(Weld(clamp, names[near], interface.body, on_station, interface.frame_body.transform))
    count = len(stations) - 1
    for n in range(count):
        name = part.name if count == 1 else f"{part.name}[{n}]"
        edges.append(RodPiece(part, name, names[n], names[n + 1], stations[n], stations[n + 1] - stations[n]))
    return edges


def part_edges(part: FlexiblePart, reduced: ReducedPart) -> list[Edge]:
    """Arms and clamps of a reduced part; its frame is clamped to the body of its reference interface.

    Raises:
        CharacterError: The reduced part has other interfaces.
    """
    bodies = tuple(interface.body for interface in part.interfaces)
    if sorted(reduced.interface_names) != sorted(bodies):
        raise CharacterError(
            f"The reduced part given for '{part.name}' meets {', '.join(reduced.interface_names)}, but the part itself "
            f"meets {', '.join(bodies)}. Reduce this part."
        )
    edges: list[Edge] = []
    left = list(part.interfaces)
    for number, (body, place) in enumerate(zip(reduced.interface_names, reduced.interfaces, strict=True)):
        interface = left.pop([one.body for one in left].index(body))
        clamp, on_part = f"{part.name} clamp {number}", interface.frame_part.transform
        if number == 0:
            edges.append(Weld(clamp, part.name, body, on_part, interface.frame_body.transform))
            continue
        node = f"{part.name} interface {number}"
        edges.append(PartArm(part, node, part.name, node, number - 1))
        on_interface = RigidTransform(-place.centroid) @ on_part
        edges.append(Weld(clamp, node, body, on_interface, interface.frame_body.transform))
    return edges


def _merged(places: Sequence[float], tolerance: float) -> list[float]:
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > tolerance:
            kept.append(place)
    return kept


def _rank(edge: Edge, leaders: set[str]) -> int:
    """Which edges must, and which should rather, be in the tree."""
    if isinstance(edge, RodPiece | PartArm):
        return 2
    if isinstance(edge, Weld):
        return 3
    if edge.type in (JointType.GROUND, JointType.FIXED) or edge.role is JointRole.CONFIGURABLE:
        return 0
    if edge.role is JointRole.ACTUATED or edge.coupling is not None or edge.name in leaders:
        return 1
    losses = edge.damping > 0.0 or edge.friction > 0.0 or edge.armature > 0.0
    return {JointType.UNIVERSAL: 6, JointType.SPHERICAL: 7}.get(edge.type, 4 if losses or _is_limited(edge) else 5)


def _is_limited(joint: Joint) -> bool:
    """Whether a joint has limits: these can be held where its coordinate is one of the system's."""
    return any(
        any(math.isfinite(end) for end in one.range)
        or any(bound is not None for bound in (one.velocity, one.acceleration, one.jerk))
        for one in joint.limits
    )


def build_span(character: Character, edges: Sequence[Edge]) -> Span:
    """Chooses the tree and orders it depth first.

    Raises:
        CharacterError: Bodies hang on nothing, or motors, gears and fixed joints alone form a loop.
    """
    leaders = {joint.coupling.leader for joint in character.joints if joint.coupling is not None}
    ranked = sorted(edges, key=lambda edge: _rank(edge, leaders))  # stable: the order of the character
    group: dict[str, str] = {}

    def leader_of(node: str) -> str:
        while group.setdefault(node, node) != node:
            node = group[node]
        return node

    kept: dict[str, list[tuple[int, Edge]]] = {}
    closers: list[Joint | Weld] = []
    order = {id(edge): n for n, edge in enumerate(edges)}
    for edge in ranked:
        one, two = (leader_of(node) for node in ends_of(edge))
        if one != two:
            group[two] = one
            for node in ends_of(edge):
                kept.setdefault(node, []).append((order[id(edge)], edge))
            continue
        if isinstance(edge, RodPiece | PartArm) or _rank(edge, leaders) == 1:
            raise CharacterError(
                f"'{edge.name}' of '{character.name}' closes a loop of motors, gears and fixed joints alone: nothing "
                f"in that loop can follow. Make one of its joints passive."
            )
        closers.append(edge)
    return Span(tuple(_walk(character, kept)), tuple(closers))


def _walk(character: Character, kept: dict[str, list[tuple[int, Edge]]]) -> list[Branch]:
    """The tree from the world outward, depth first."""
    branches: list[Branch] = []
    seen, waiting = {WORLD}, [(WORLD, edge) for _, edge in sorted(kept.get(WORLD, ()), key=lambda one: -one[0])]
    while waiting:
        start, edge = waiting.pop()
        one, two = ends_of(edge)
        end = two if start == one else one
        branches.append(Branch(edge, start, end))
        seen.add(end)
        onward = [(n, other) for n, other in kept.get(end, ()) if other is not edge]
        waiting += [(end, other) for _, other in sorted(onward, key=lambda item: -item[0])]
    lost = [body.name for body in character.bodies if body.name not in seen]
    if lost:
        raise CharacterError(
            f"These bodies of '{character.name}' are not connected to the world: {', '.join(lost)}. Add the joints or "
            f"flexible parts that hold them, or remove them."
        )
    return branches
