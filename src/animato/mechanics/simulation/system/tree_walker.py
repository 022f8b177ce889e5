"""Walks the spanning tree of a character: joints, rods and reduced parts become steps and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from animato.character import WORLD, Bar, Character, Joint, JointRole, JointType, Rod
from animato.character.structure import joint_motion
from animato.errors import CharacterError
from animato.mechanics.flexible.reduction import ReducedPart
from animato.mechanics.flexible.rods import RodOptions, build_strain_rod
from animato.mechanics.simulation.system.assembly import Assembly
from animato.mechanics.simulation.system.graph import Branch, PartArm, RodPiece, Weld
from animato.mechanics.simulation.system.system import Placed, RodLink
from animato.spatial.rigid_transform import RigidTransform

_MOTIONS: dict[JointType, tuple[tuple[bool, int], ...]] = {
    JointType.REVOLUTE: ((False, 0),),
    JointType.PRISMATIC: ((True, 0),),
    JointType.CYLINDRICAL: ((True, 0), (False, 0)),
    JointType.UNIVERSAL: ((False, 0), (False, 1)),
    JointType.CARTESIAN: ((True, 0), (True, 1), (True, 2)),
    JointType.SPHERICAL: ((False, 0), (False, 1), (False, 2)),
}
"""(whether it slides, which axis) of each step of a joint."""


class TreeWalker:
    """What has been met so far, branch by branch.

    Attributes:
        assembly: Steps and slots.
        places: Of nodes, by name.
        unknowns: Names of the unknown coordinates, in order.
        springs: (row, column, stiffness, damping) between coordinates, by name.
        losses: Armature, damping and friction of a coordinate, by name, [3].
        links: Of rods, by the name of their part.
        part_frames: Step and first slot of each reduced part.
        arms: First step and sign of each arm, by part and number.
    """

    def __init__(
        self,
        character: Character,
        rods: RodOptions | Mapping[str, RodOptions] | None,
        joint_stiffness: Mapping[str, float] | float | None,
        joint_damping: Mapping[str, float] | float,
        reduced: Mapping[str, ReducedPart],
    ) -> None:
        self.character, self.reduced, self.rod_options = character, reduced, rods
        self.joint_stiffness, self.joint_damping = joint_stiffness, joint_damping
        self.motors = character.actuated_coordinate_names
        self.assembly = Assembly()
        self.places: dict[str, Placed] = {WORLD: Placed(0, RigidTransform())}
        self.unknowns: list[str] = []
        self.springs: list[tuple[str, str, float, float]] = []
        self.losses: dict[str, np.ndarray] = {}
        self.links: dict[str, list[RodLink]] = {}
        self.part_frames: dict[str, tuple[int, int]] = {}
        self.arms: dict[tuple[str, int], tuple[int, float]] = {}

    def walk(self, branch: Branch) -> None:
        """Adds what a branch brings, and places the node at its end."""
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
        sign, ratio, offset = (-1.0 if backward else 1.0), 1.0, 0.0
        if joint.coupling is not None:
            ratio, offset = joint.coupling.ratio, joint.coupling.offset
            names = self._coordinates(self.character.joint(joint.coupling.leader))
        order = range(len(motions) - 1, -1, -1) if backward else range(len(motions))
        for n in order:
            (slides, axis), name = motions[n], names[n]
            self._add_losses(name, joint, ratio)
            entries = [(self.assembly.add_slot(name), sign * ratio)]
            spring = self._motor_spring(name)
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

    def _motor_spring(self, name: str) -> str | None:
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
            self.springs.append((spring, spring, stiffness, number))
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
        for i, row in enumerate(names):
            for j, column in enumerate(names):
                stiffness, damping = float(rod.stiffness[i, j]), float(rod.damping[i, j])
                if stiffness or damping:
                    self.springs.append((row, column, stiffness, damping))
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
