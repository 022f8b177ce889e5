"""Builds the system of a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from animato.character import Bar, Character, Joint, JointRole, JointType, Rod, mass_properties_of
from animato.errors import CharacterError, unknown_name
from animato.mechanics.flexible.reduction import ReducedPart, pack_parts
from animato.mechanics.flexible.rods import RodOptions
from animato.mechanics.simulation.system.assembly import integers
from animato.mechanics.simulation.system.closures import ClosureRow, closure_rows, pack_loops
from animato.mechanics.simulation.system.graph import Edge, Weld, build_span, part_edges, rod_edges
from animato.mechanics.simulation.system.mesh_parts import with_reduced_meshes
from animato.mechanics.simulation.system.packed import Outputs, PackedSystem, PartStands, Springs
from animato.mechanics.simulation.system.redundancy import without_redundant_rows
from animato.mechanics.simulation.system.system import System
from animato.mechanics.simulation.system.tree_walker import TreeWalker

_FRICTION_SPEED = 0.01  # [rad/s or m/s]


def build_system(
    character: Character,
    *,
    tracked: Sequence[str] = (),
    rods: RodOptions | Mapping[str, RodOptions] | None = None,
    joint_stiffness: Mapping[str, float] | float | None = None,
    joint_damping: Mapping[str, float] | float = 0.0,
    friction_speed: float = _FRICTION_SPEED,
    parts: Mapping[str, ReducedPart] | None = None,
) -> System:
    """Builds the system in minimal coordinates of a character that is held in the world.

    Motors prescribe their coordinates. Passive joints in the tree have theirs as unknowns, a passive ball as three
    turns about x, y and z of its frame, which must stay away from a quarter turn about y. Rods and bars become strain
    rods. Dry friction is smoothed: friction * tanh(speed / friction_speed). Damping, friction and armature of a passive
    joint count where it is in the tree; loops are closed by joints without them where there is a choice. Rows of closed
    loops that others imply, as in a plane, are left out.

    Args:
        character: Any; loops and flexible parts are welcome.
        tracked: Names of bodies whose centres of mass and rotations are outputs.
        rods: How finely rods are described: all alike, or by the name of the flexible part.
        joint_stiffness: Of motors [N m/rad or N/m], all alike or by the name of the coordinate; each adds an unknown,
            the deflection. None: rigid.
        joint_damping: The same for damping [N m s/rad or N s/m].
        friction_speed: See above [rad/s or m/s].
        parts: Reduced parts by the name of their flexible part; other meshes are reduced as usual, other rods and bars
            become strain rods.

    Raises:
        CharacterError: It floats, has an actuated ball, a loop that nothing in it can follow or that cannot close, or a
            part that does not fit.
        UnknownNameError: A name stands for nothing.
    """
    reduced = with_reduced_meshes(character, parts)
    _check_held(character)
    _check_names(character, tracked, rods, joint_stiffness, reduced)
    span = build_span(character, _edges(character, reduced))
    walker = TreeWalker(character, rods, joint_stiffness, joint_damping, reduced)
    for branch in span.branches:
        walker.walk(branch)
    for body in character.bodies:
        walker.assembly.add_load(walker.places[body.name], mass_properties_of(body))
    _check_fit(walker)
    closures = [_closure(walker, closer) for closer in span.closers]
    packed = _packed(walker, tracked, closures, friction_speed)
    names = tuple(closer.name for closer, (_, _, rows) in zip(span.closers, closures, strict=True) for _ in rows)
    packed, names = without_redundant_rows(packed, names)
    return System(
        character,
        packed,
        tuple(walker.unknowns),
        walker.motors,
        tuple(tracked),
        {body.name: walker.places[body.name] for body in character.bodies},
        {name: tuple(sorted(links, key=lambda link: link.station)) for name, links in walker.links.items()},
        names,
    )


def _check_held(character: Character) -> None:
    """Motors must have one axis each, and the character must stand somewhere."""
    if character.floats or any(
        joint.type is JointType.GROUND and joint.role is JointRole.ACTUATED for joint in character.joints
    ):
        raise CharacterError(
            f"'{character.name}' floats: nothing holds it in the world. Bodies that are simulated hang on a ground "
            f"joint that is not actuated; add one to the body that stands."
        )
    for joint in character.joints:
        if joint.type is JointType.SPHERICAL and joint.role is JointRole.ACTUATED:
            raise CharacterError(
                f"Joint '{joint.name}' of '{character.name}' is an actuated ball; motors turn about one axis each. "
                f"Write it as three revolute joints, or make it passive."
            )


def _check_names(
    character: Character,
    tracked: Sequence[str],
    rods: RodOptions | Mapping[str, RodOptions] | None,
    joint_stiffness: Mapping[str, float] | float | None,
    reduced: Mapping[str, ReducedPart],
) -> None:
    for name in tracked:
        character.body(name)
    known = [part.name for part in character.flexible_parts]
    for name in [*reduced, *(rods if isinstance(rods, Mapping) else ())]:
        if name not in known:
            raise unknown_name("flexible part", name, known, character.name)
    motors = character.actuated_coordinate_names
    for name in joint_stiffness if isinstance(joint_stiffness, Mapping) else ():
        if name not in motors:
            raise unknown_name("motor", name, motors, character.name)


def _edges(character: Character, reduced: Mapping[str, ReducedPart]) -> list[Edge]:
    """Joints, rods and reduced parts."""
    edges: list[Edge] = list(character.joints)
    for part in character.flexible_parts:
        edges += part_edges(part, reduced[part.name]) if part.name in reduced else rod_edges(part)
    return edges


def _check_fit(walker: TreeWalker) -> None:
    """A rod between places of bodies that move as one must be long enough."""
    for part in walker.character.flexible_parts:
        if not isinstance(part.geometry, Rod | Bar) or part.name in walker.reduced:
            continue
        clamps = sorted(part.interfaces, key=lambda clamp: clamp.frame_part.position[2])
        for one, two in pairwise(clamps):
            near, far = walker.places[one.body], walker.places[two.body]
            if near.step != far.step:
                continue
            ends = [place.transform.apply(clamp.frame_body.position) for place, clamp in ((near, one), (far, two))]
            apart = float(np.linalg.norm(ends[1] - ends[0]))
            length = two.frame_part.position[2] - one.frame_part.position[2]
            if apart > length * (1.0 + 1e-6):
                raise CharacterError(
                    f"Flexible part '{part.name}' is {length:g} m long between its clamps to '{one.body}' and "
                    f"'{two.body}', but these are {apart:g} m apart and move as one. Correct its length or the "
                    f"frames of its interfaces."
                )


def _closure(walker: TreeWalker, closer: Joint | Weld) -> tuple[int, int, list[ClosureRow]]:
    """The two steps that a closer ties, and its rows."""
    near, far = (closer.parent, closer.child) if isinstance(closer, Joint) else (closer.near, closer.far)
    first, second = walker.places[near], walker.places[far]
    return first.step, second.step, closure_rows(closer, first, second)


def _packed(
    walker: TreeWalker,
    tracked: Sequence[str],
    closures: Sequence[tuple[int, int, list[ClosureRow]]],
    friction_speed: float,
) -> PackedSystem:
    names = [*walker.unknowns, *walker.motors]
    index = {name: n for n, name in enumerate(names)}
    parts = [part.name for part in walker.character.flexible_parts if part.name in walker.reduced]
    tree, drive = walker.assembly.tree(walker.character.gravity), walker.assembly.drive(index)
    return PackedSystem(
        tree,
        walker.assembly.columns(),
        len(walker.unknowns),
        len(names),
        drive,
        _springs(walker, index, friction_speed),
        pack_loops(tree, drive, closures),
        _outputs(walker, tracked),
        pack_parts([walker.reduced[name] for name in parts]),
        _stands(walker, parts, index),
    )


def _springs(walker: TreeWalker, index: Mapping[str, int], friction_speed: float) -> Springs:
    losses = np.array([walker.losses.get(name, np.zeros(3)) for name in index]).reshape(-1, 3)
    springs = walker.springs + [
        (name, name, 0.0, float(losses[n, 1])) for name, n in index.items() if losses[n, 1] > 0.0
    ]
    return Springs(
        integers([index[spring[0]] for spring in springs]),
        integers([index[spring[1]] for spring in springs]),
        np.array([spring[2] for spring in springs], dtype=np.float64),
        np.array([spring[3] for spring in springs], dtype=np.float64),
        np.ascontiguousarray(losses[:, 0]),
        np.ascontiguousarray(losses[:, 2]),
        float(friction_speed),
    )


def _outputs(walker: TreeWalker, tracked: Sequence[str]) -> Outputs:
    outputs = [(walker.places[name], mass_properties_of(walker.character.body(name))) for name in tracked]
    return Outputs(
        integers([place.step for place, _ in outputs]),
        np.array([place.transform.apply(mass.centre) for place, mass in outputs]).reshape(-1, 3),
        np.array([place.transform.rotation for place, _ in outputs]).reshape(-1, 3, 3),
    )


def _stands(walker: TreeWalker, parts: Sequence[str], index: Mapping[str, int]) -> PartStands:
    arms = [walker.arms[name, n] for name in parts for n in range(len(walker.reduced[name].far_interfaces))]
    return PartStands(
        integers([walker.part_frames[name][0] for name in parts]),
        integers([index[f"{name}.mode0"] for name in parts]),
        integers([walker.part_frames[name][1] for name in parts]),
        integers([step for step, _ in arms]),
        np.array([sign for _, sign in arms], dtype=np.float64),
    )
