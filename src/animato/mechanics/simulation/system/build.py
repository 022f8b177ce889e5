"""Builds the system of a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from animato.character import WORLD, Bar, Character, Joint, JointRole, JointType, Rod, mass_properties_of
from animato.character.structure import joint_motion
from animato.errors import CharacterError, unknown_name
from animato.mechanics.flexible.reduction import ReducedPart, pack_parts
from animato.mechanics.flexible.rods import RodOptions, build_strain_rod
from animato.mechanics.simulation.system.assembly import Assembly, integers
from animato.mechanics.simulation.system.closures import ClosureRow, closure_rows, pack_loops
from animato.mechanics.simulation.system.graph import (
    Branch,
    Edge,
    PartArm,
    RodPiece,
    Weld,
    build_span,
    part_edges,
    rod_edges,
)
from animato.mechanics.simulation.system.packed import Outputs, PackedSystem, PartStands, Springs
from animato.mechanics.simulation.system.redundancy import without_redundant_rows
from animato.mechanics.simulation.system.system import Placed, RodLink, System
from animato.spatial.rigid_transform import RigidTransform

_FRICTION_SPEED = 0.01  # [rad/s or m/s]

_MOTIONS: dict[JointType, tuple[tuple[bool, int], ...]] = {
    JointType.REVOLUTE: ((False, 0),),
    JointType.PRISMATIC: ((True, 0),),
    JointType.CYLINDRICAL: ((True, 0), (False, 0)),
    JointType.UNIVERSAL: ((False, 0), (False, 1)),
    JointType.CARTESIAN: ((True, 0), (True, 1), (True, 2)),
    JointType.SPHERICAL: ((False, 0), (False, 1), (False, 2)),
}
"""(whether it slides, which axis) of each step of a joint."""


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
        parts: Reduced parts by the name of their flexible part: a must for meshes, a choice for rods and bars.

    Raises:
        CharacterError: It floats, has an actuated ball, a loop that nothing in it can follow or that cannot close, or a
            part that does not fit.
        UnknownNameError: A name stands for nothing.
    """
    return _Builder(character, tracked, rods, joint_stiffness, joint_damping, friction_speed, parts or {}).system()


class _Builder:
    """Walks the spanning tree once."""

    def __init__(
        self,
        character: Character,
        tracked: Sequence[str],
        rods: RodOptions | Mapping[str, RodOptions] | None,
        joint_stiffness: Mapping[str, float] | float | None,
        joint_damping: Mapping[str, float] | float,
        friction_speed: float,
        parts: Mapping[str, ReducedPart],
    ) -> None:
        self.reduced = dict(parts)
        self.character, self.tracked, self.friction_speed = character, tuple(tracked), friction_speed
        self.motors = character.actuated_coordinate_names
        self._check(rods, joint_stiffness)
        self.rod_options, self.joint_stiffness, self.joint_damping = rods, joint_stiffness, joint_damping
        self.assembly = Assembly()
        self.places: dict[str, Placed] = {WORLD: Placed(0, RigidTransform())}
        self.unknowns: list[str] = []
        self.springs: list[tuple[str, str, float, float, float]] = []
        self.losses: dict[str, np.ndarray] = {}  # armature, damping, friction of a coordinate
        self.links: dict[str, list[RodLink]] = {}
        self.part_frames: dict[str, tuple[int, int]] = {}  # step and first slot
        self.arms: dict[tuple[str, int], tuple[int, float]] = {}  # first step and sign

    def _check(
        self,
        rods: RodOptions | Mapping[str, RodOptions] | None,
        joint_stiffness: Mapping[str, float] | float | None,
    ) -> None:
        character = self.character
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
        for name in self.tracked:
            character.body(name)
        known = [part.name for part in character.flexible_parts]
        for name in [*self.reduced, *(rods if isinstance(rods, Mapping) else ())]:
            if name not in known:
                raise unknown_name("flexible part", name, known, character.name)
        if isinstance(joint_stiffness, Mapping):
            for name in joint_stiffness:
                if name not in self.motors:
                    raise unknown_name("motor", name, self.motors, character.name)

    def system(self) -> System:
        character = self.character
        edges: list[Edge] = list(character.joints)
        for part in character.flexible_parts:
            if part.name in self.reduced:
                edges += part_edges(part, self.reduced[part.name])
                continue
            if not isinstance(part.geometry, Rod | Bar):
                raise CharacterError(
                    f"Flexible part '{part.name}' of '{character.name}' is a mesh, which is simulated as a reduced "
                    f"part; none is given for it. Reduce it first."
                )
            edges += rod_edges(part)
        span = build_span(character, edges)
        for branch in span.branches:
            self._walk(branch)
        for body in character.bodies:
            self.assembly.add_load(self.places[body.name], mass_properties_of(body))
        self._check_fit()
        closures = [(closer, *self._closure(closer)) for closer in span.closers]
        closures = [one for one in closures if one[1] != one[2]]  # what moves as one needs no rows
        return self._system(closures)

    def _check_fit(self) -> None:
        """A rod between places of bodies that move as one must be long enough."""
        for part in self.character.flexible_parts:
            if not isinstance(part.geometry, Rod | Bar) or part.name in self.reduced:
                continue
            clamps = sorted(part.interfaces, key=lambda clamp: clamp.frame_part.position[2])
            for one, two in pairwise(clamps):
                near, far = self.places[one.body], self.places[two.body]
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

    def _closure(self, closer: Joint | Weld) -> tuple[int, int, list[ClosureRow]]:
        near, far = (closer.parent, closer.child) if isinstance(closer, Joint) else (closer.near, closer.far)
        first, second = self.places[near], self.places[far]
        return first.step, second.step, closure_rows(closer, first, second)

    def _walk(self, branch: Branch) -> None:
        edge, start = branch.edge, self.places[branch.start]
        if isinstance(edge, RodPiece):
            self.places[branch.end] = self._add_piece(edge, start, branch.backward)
            return
        if isinstance(edge, PartArm):
            self.places[branch.end] = self._add_arm(edge, start, branch.backward)
            return
        if isinstance(edge, Weld):
            near, far = edge.near_frame, edge.far_frame
        else:
            near, far = edge.frame_parent.transform, edge.frame_child.transform
        near, far = (far, near) if branch.backward else (near, far)
        place = replace(start, transform=start.transform @ near)
        if isinstance(edge, Joint):
            place = self._add_joint(edge, place, branch.backward)
        place = replace(place, transform=place.transform @ far.inverse())
        self.places[branch.end] = self._add_part(branch.end, place) if branch.end in self.reduced else place

    def _add_joint(self, joint: Joint, place: Placed, backward: bool) -> Placed:
        """Adds the steps of a joint to the frame on one side of it; gives that on the other side."""
        if joint.role is JointRole.CONFIGURABLE:
            motion = joint_motion(joint, joint.configuration or joint.neutral)
            return replace(place, transform=place.transform @ (motion.inverse() if backward else motion))
        motions = _MOTIONS.get(joint.type, ())
        names = self._coordinates(joint)
        sign, leader, ratio, offset = (-1.0 if backward else 1.0), joint, 1.0, 0.0
        if joint.coupling is not None:
            leader, ratio = self.character.joint(joint.coupling.leader), joint.coupling.ratio
            offset, names = joint.coupling.offset, self._coordinates(leader)
        order = range(len(motions) - 1, -1, -1) if backward else range(len(motions))
        for n in order:
            (slides, axis), name = motions[n], names[n]
            self._add_losses(name, joint, ratio)
            entries = [(self.assembly.add_slot(name), sign * ratio)]
            spring = self._motor_spring(name, joint)
            if spring is not None:
                entries.append((self.assembly.add_slot(spring), sign * ratio))
            place = self.assembly.add_step(place, slides, joint.axes[:, axis], entries, sign * offset)
        return place

    def _coordinates(self, joint: Joint) -> tuple[str, ...]:
        if joint.type is JointType.SPHERICAL:
            return tuple(joint.name + end for end in (".rx", ".ry", ".rz"))
        return joint.coordinate_names

    def _add_losses(self, name: str, joint: Joint, ratio: float) -> None:
        if name not in self.motors and name not in self.unknowns:
            self.unknowns.append(name)
        losses = np.array([ratio**2 * joint.armature, ratio**2 * joint.damping, abs(ratio) * joint.friction])
        self.losses[name] = self.losses.get(name, np.zeros(3)) + losses

    def _motor_spring(self, name: str, joint: Joint) -> str | None:
        """The coordinate of a motor's deflection; what follows a motor through a gear has its deflection too."""
        given = self.joint_stiffness
        stiffness = given.get(name) if isinstance(given, Mapping) else given
        if stiffness is None or name not in self.motors:
            return None
        if not stiffness > 0.0:
            raise CharacterError(f"The stiffness of motor '{name}' must be greater than 0, not {stiffness}.")
        spring = f"{name} deflection"
        if spring not in self.unknowns:
            self.unknowns.append(spring)
            damping = self.joint_damping
            number = damping.get(name, 0.0) if isinstance(damping, Mapping) else damping
            self.springs.append((spring, spring, stiffness, number, 0.0))
        return spring

    def _add_piece(self, piece: RodPiece, place: Placed, backward: bool) -> Placed:
        """Adds the hinges of a piece of a rod; gives its far station."""
        geometry, options = piece.part.geometry, self.rod_options
        assert isinstance(geometry, Rod | Bar)
        if isinstance(options, Mapping):
            options = options.get(piece.part.name)
        rod = build_strain_rod(geometry, piece.part.material, length=piece.length, options=options, backward=backward)
        names = [f"{piece.name}.{name}" for name in rod.names]
        self.unknowns += names
        slots = [self.assembly.add_slot(name) for name in names]
        links = self.links.setdefault(piece.part.name, [])
        for hinge in rod.hinges:
            place = _shifted(place, hinge.shift)
            entries = list(zip(slots, hinge.weights.tolist(), strict=True))
            place = self.assembly.add_step(place, hinge.slides, np.eye(3)[hinge.axis], entries, hinge.offset)
            if hinge.load is not None:
                self.assembly.add_load(place, hinge.load)
            if hinge.link > 0.0:
                middle = _shifted(place, (-0.5 if backward else 0.5) * hinge.link)
                links.append(RodLink(middle.step, middle.transform, hinge.link, piece.start + hinge.station))
        matrices = (rod.stiffness, rod.damping, rod.lacking)
        for i, row in enumerate(names):
            for j, column in enumerate(names):
                stiffness, damping, inertia = (float(matrix[i, j]) for matrix in matrices)
                if stiffness or damping or inertia:
                    self.springs.append((row, column, stiffness, damping, inertia))
        return _shifted(place, rod.end_shift)

    def _modes(self, name: str) -> list[int]:
        """New slots of all modes of a part; the first who asks makes the coordinates."""
        names = [f"{name}.mode{k}" for k in range(self.reduced[name].mode_count)]
        if names[0] not in self.unknowns:
            self.unknowns += names
        return [self.assembly.add_slot(one) for one in names]

    def _add_part(self, name: str, place: Placed) -> Placed:
        """Adds the frame of a part, with the slots of its own inertia."""
        slots = self._modes(name)
        frame = self.assembly.add_frame(place, slots)
        self.part_frames[name] = (frame.step, slots[0])
        return frame

    def _add_arm(self, arm: PartArm, place: Placed, backward: bool) -> Placed:
        """Adds the six hinges between a part's frame and an interface; gives the frame on the other side."""
        reduced = self.reduced[arm.part.name]
        slots, sign = self._modes(arm.part.name), -1.0 if backward else 1.0
        weights = sign * _arm_weights(reduced, arm.number)
        centroid, axes = RigidTransform(reduced.far_interfaces[arm.number].centroid), np.eye(3)
        if not backward:
            place = replace(place, transform=place.transform @ centroid)
        self.arms[arm.part.name, arm.number] = (len(self.assembly.steps), sign)
        for h in range(5, -1, -1) if backward else range(6):
            entries = list(zip(slots, weights[h].tolist(), strict=True))
            place = self.assembly.add_step(place, h < 3, axes[h % 3], entries, curved=True)
        if not backward:
            return place
        return self._add_part(arm.near, replace(place, transform=place.transform @ centroid.inverse()))

    def _system(self, closures: list[tuple[Joint | Weld, int, int, list[ClosureRow]]]) -> System:
        character, assembly = self.character, self.assembly
        names = [*self.unknowns, *self.motors]
        index = {name: n for n, name in enumerate(names)}
        tree = assembly.tree(character.gravity)
        drive = assembly.drive(index)
        packed = PackedSystem(
            tree,
            assembly.columns(),
            len(self.unknowns),
            len(names),
            drive,
            self._springs(names, index),
            pack_loops(tree, drive, [(one, two, rows) for _, one, two, rows in closures]),
            self._outputs(),
            pack_parts([self.reduced[name] for name in self._part_names()]),
            self._stands(index),
        )
        closed = tuple(closer.name for closer, _, _, some in closures for _ in some)
        packed, closed = without_redundant_rows(packed, closed)
        return System(
            character,
            packed,
            tuple(self.unknowns),
            tuple(self.motors),
            self.tracked,
            {body.name: self.places[body.name] for body in character.bodies},
            {name: tuple(sorted(links, key=lambda link: link.station)) for name, links in self.links.items()},
            closed,
        )

    def _springs(self, names: Sequence[str], index: Mapping[str, int]) -> Springs:
        losses = np.array([self.losses.get(name, np.zeros(3)) for name in names]).reshape(-1, 3)
        springs = self.springs + [
            (name, name, 0.0, float(losses[n, 1]), 0.0) for n, name in enumerate(names) if losses[n, 1] > 0.0
        ]
        return Springs(
            integers([index[spring[0]] for spring in springs]),
            integers([index[spring[1]] for spring in springs]),
            np.array([spring[2] for spring in springs], dtype=np.float64),
            np.array([spring[3] for spring in springs], dtype=np.float64),
            np.array([spring[4] for spring in springs], dtype=np.float64),
            np.ascontiguousarray(losses[:, 0]),
            np.ascontiguousarray(losses[:, 2]),
            float(self.friction_speed),
        )

    def _outputs(self) -> Outputs:
        outputs = [(self.places[name], mass_properties_of(self.character.body(name))) for name in self.tracked]
        return Outputs(
            integers([place.step for place, _ in outputs]),
            np.array([place.transform.apply(mass.centre) for place, mass in outputs]).reshape(-1, 3),
            np.array([place.transform.rotation for place, _ in outputs]).reshape(-1, 3, 3),
        )

    def _part_names(self) -> list[str]:
        return [part.name for part in self.character.flexible_parts if part.name in self.reduced]

    def _stands(self, index: Mapping[str, int]) -> PartStands:
        names = self._part_names()
        arms = [self.arms[name, n] for name in names for n in range(len(self.reduced[name].far_interfaces))]
        return PartStands(
            integers([self.part_frames[name][0] for name in names]),
            integers([index[f"{name}.mode0"] for name in names]),
            integers([self.part_frames[name][1] for name in names]),
            integers([step for step, _ in arms]),
            np.array([sign for _, sign in arms], dtype=np.float64),
        )


def _arm_weights(reduced: ReducedPart, number: int) -> np.ndarray:
    """How the six hinges of an arm move with the modes of the undeformed part, [6, r]."""
    interface, modes = reduced.far_interfaces[number], np.moveaxis(reduced.basis, -1, 0)
    linear = interface.linear_part_of(modes)
    skew = linear - np.swapaxes(linear, 1, 2)
    axial = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)
    turns = np.linalg.solve(np.trace(interface.rest) * np.eye(3) - interface.rest, axial.T)
    return np.vstack([interface.centroid_of(modes).T, turns])


def _shifted(place: Placed, along: float) -> Placed:
    """A frame further along its z."""
    return place if along == 0.0 else replace(place, transform=place.transform @ RigidTransform((0.0, 0.0, along)))
