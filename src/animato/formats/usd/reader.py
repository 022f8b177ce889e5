"""Reads USD files: robots as UsdPhysics states them, closed loops included. Needs OpenUSD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import WORLD, Body, Character, Frame, Joint, JointType, Marker
from animato.character.structure import joint_stand, rezeroed_joint, topology_of
from animato.errors import AnimatoError, CharacterError, FileFormatError, OptionError
from animato.formats.files import UniqueNames
from animato.formats.urdf import BASES, BaseChoice
from animato.formats.usd.bodies import body_of, is_body
from animato.formats.usd.joints import UsdJoint, is_joint, local_frame, usd_joint
from animato.formats.usd.parallel_axes import with_parallel_axes
from animato.formats.usd.rehearsal import explained
from animato.formats.usd.stage import UsdStage, opened_stage
from animato.spatial.rigid_transform import RigidTransform

DISTANCE_TOLERANCE = 1e-4  # [m] by which the two frames of a joint may be apart in the pose of the file
ANGLE_TOLERANCE = 1e-3  # [rad]
_ROUNDING = 1e-5  # [rad or m] a joint that stands this near to zero stands at zero: USD states frames as float32


def load_usd(path: str | Path, *, base: BaseChoice = "auto") -> Character:
    """Reads a USD file: rigid bodies, joints, drives, masses, primitive shapes.

    The pose in which the file has its bodies is the rest pose: all coordinates are zero there. What
    the float32 frames of a joint leave open between its bodies is closed, and in a robot with loops
    axes that are parallel to float32 are made parallel, so that loops close to rounding, at rest and
    in motion. All joints are kept, those that close loops too; joints with a drive are actuated, all
    others passive (in a file without drives all are actuated).

    Args:
        path: A .usda, .usd, .usdc or .usdz file.
        base: "auto" does what joints to the world say and lets a robot without one float; "ground"
            holds the root body where the file has it; "float" takes away joints that fix it.

    Raises:
        MissingDependencyError: OpenUSD is not installed.
        FileFormatError: It is no USD file, has no physics joints, or has one that animato cannot
            have; the prim is named.
    """
    if base not in BASES:
        raise OptionError(f"The base of a USD robot is one of {', '.join(BASES)}, not '{base}'.")
    stage = opened_stage(path)
    try:
        return _Robot(stage).character(base)
    except FileFormatError:
        raise
    except AnimatoError as error:
        raise FileFormatError(path, str(error)) from None
    except stage.pxr.Tf.ErrorException as error:
        raise explained(str(error), path) from None


class _Robot:
    """A stage while it is turned into a character."""

    def __init__(self, stage: UsdStage) -> None:
        self.stage = stage
        bodies = [prim for prim in stage.prims if is_body(prim)]
        joints = [prim for prim in stage.prims if is_joint(prim)]
        if not joints:
            what = "rigid bodies but no" if bodies else "neither rigid bodies nor"
            raise FileFormatError(
                stage.path,
                f"it has {what} physics joints; a robot needs PhysicsRevoluteJoint, PhysicsFixedJoint and the like. "
                f"Export it with its physics (UsdPhysics).",
            )
        if not bodies:
            raise FileFormatError(stage.path, "it has joints but no prim with PhysicsRigidBodyAPI that they hold.")
        self.prims = dict(zip(_names(bodies, (WORLD,)), bodies, strict=True))
        self.by_path = {str(prim.GetPath()): name for name, prim in self.prims.items()}
        self.poses = {name: stage.placed(prim).transform for name, prim in self.prims.items()}
        self.joints = dict(zip(_names(joints), (usd_joint(stage, prim) for prim in joints), strict=True))
        self.some_driven = any(joint.driven for joint in self.joints.values())
        self.moved: list[str] = []

    def owner(self, prim: Any) -> str | None:
        """The body that a prim is or belongs to; None for what stands still in the world."""
        while prim and not prim.IsPseudoRoot():
            name = self.by_path.get(str(prim.GetPath()))
            if name is not None:
                return name
            prim = prim.GetParent()
        return None

    def character(self, base: BaseChoice) -> Character:
        bodies = self._bodies()
        base_name = UniqueNames([*self.prims, WORLD]).new("base")
        joints, needs_base = [], False
        for name, usd in self.joints.items():
            if usd.type is None:
                continue
            joint = self._joint(name, usd, base_name)
            if joint.type is JointType.GROUND and base == "float":
                continue
            needs_base |= base_name in (joint.parent, joint.child)
            joints.append(joint)
        new_names = UniqueNames(joint.name for joint in joints)
        if needs_base:
            if base == "float":
                raise CharacterError("A moving joint holds the robot in the world, so it cannot float.")
            joints.insert(0, Joint(new_names.new("base.ground"), JointType.GROUND, WORLD, base_name))
            bodies.insert(0, Body(base_name))
        character = self._put_together(bodies, joints)
        if not topology_of(character).is_tree:
            joints = with_parallel_axes(joints, self.poses)
            character = self._put_together(bodies, joints)
        if base == "ground" and character.floats:
            root = topology_of(character).links[0].body
            frame = Frame.from_transform(self.poses[root])
            ground = Joint(new_names.new("ground"), JointType.GROUND, WORLD, root, frame_parent=frame)
            character = self._put_together(bodies, [ground, *joints])
        return character

    def _put_together(self, bodies: list[Body], joints: list[Joint]) -> Character:
        default = self.stage.stage.GetDefaultPrim()
        name = default.GetName() if default else Path(self.stage.path).stem
        shifted = ""
        if self.moved:
            shifted = f"Zero is where the file has the robot; there its own coordinates are {', '.join(self.moved)}"
        return Character(
            name,
            tuple(bodies),
            tuple(joints),
            markers=self._markers(),
            ignored_collisions=self._ignored_collisions(),
            gravity=self._gravity(),
            description=shifted,
        )

    def _markers(self) -> tuple[Marker, ...]:
        """Frames on bodies: Xforms that hold nothing. One that refers to another file holds what is in that."""
        frames = [
            prim
            for prim in self.stage.prims
            if prim.GetTypeName() == "Xform"
            and not prim.GetFilteredChildren(self.stage.pxr.Usd.TraverseInstanceProxies())
            and not (prim.HasAuthoredReferences() or prim.HasAuthoredPayloads())
            and not is_body(prim)
        ]
        markers = []
        for name, prim in zip(_names(frames), frames, strict=True):
            owner = self.owner(prim)
            if owner is not None:
                place = self.poses[owner].inverse() @ self.stage.placed(prim).transform
                frame = Frame.from_transform(place)
                markers.append(Marker(name, owner, frame.position, frame.quaternion_wxyz))
        return tuple(markers)

    def _bodies(self) -> list[Body]:
        parts: dict[str, list[Any]] = {name: [] for name in self.prims}
        for prim in self.stage.prims:
            owner = self.owner(prim)
            if owner is not None and str(prim.GetPath()) not in self.by_path:
                parts[owner].append(prim)
        return [body_of(self.stage, prim, name, parts[name]) for name, prim in self.prims.items()]

    def _end(self, usd: UsdJoint, end: int) -> tuple[str | None, RigidTransform]:
        """The body at an end of a joint, None for the world, and T_world_joint as that end has it."""
        prim, stage = usd.prim, self.stage
        targets = prim.GetRelationship(f"physics:body{end}").GetTargets()
        local, turn = local_frame(stage, prim, end)
        if not targets:
            frame = RigidTransform(np.array(local) * stage.metres, turn)
            return None, stage.world @ frame
        target = stage.stage.GetPrimAtPath(targets[0])
        if not target:
            raise stage.error(
                prim, f"physics:body{end} names {targets[0]}, which is not in the file. Correct the path."
            )
        place = stage.placed(target)
        frame = RigidTransform(np.array(local) * place.scale * stage.metres, turn)
        return self.owner(target), place.transform @ frame

    def _joint(self, name: str, usd: UsdJoint, base_name: str) -> Joint:
        """The joint, neutral and closed in the pose of the file."""
        (parent, on_parent), (child, on_child) = self._end(usd, 0), self._end(usd, 1)
        if parent == child:
            what = "nothing but the world" if parent is None else f"body '{parent}' with itself"
            raise self.stage.error(usd.prim, f"it connects {what}; give physics:body0 and physics:body1.")
        with self.stage.at(usd.prim):
            if usd.type is JointType.FIXED and None in (parent, child):
                held = str(child if parent is None else parent)
                return Joint(name, JointType.GROUND, WORLD, held, frame_parent=Frame.from_transform(self.poses[held]))
            ends = (base_name if parent is None else parent, base_name if child is None else child)
            poses = [self.poses.get(end, RigidTransform()) for end in ends]
            frame = Frame.from_transform(poses[0].inverse() @ on_parent)
            other = Frame.from_transform(poses[1].inverse() @ on_child)
            joint = usd.joint(name, ends, (frame, other), some_driven=self.some_driven)
            stand = joint_stand(joint, on_parent.inverse() @ on_child)
            if stand.distance > DISTANCE_TOLERANCE or stand.angle > ANGLE_TOLERANCE:
                raise CharacterError(
                    f"its two frames are {stand.distance * 1e3:.3g} mm and {np.degrees(stand.angle):.3g} deg apart "
                    f"where the file has the bodies, in ways that a {joint.type.value} joint does not move. Move the "
                    f"bodies to where the joints have them, or correct localPos and localRot."
                )
            off = np.abs(np.array(stand.coordinates) - np.array(joint.neutral))
            if off.size and off.max() > _ROUNDING:
                values = ", ".join(f"{value:.4g}" for value in stand.coordinates)
                self.moved.append(f"{name} {values}")
                joint = rezeroed_joint(joint, stand.coordinates)
        return _closed(joint, *poses)

    def _ignored_collisions(self) -> tuple[tuple[str, str], ...]:
        pairs = []
        for name, prim in self.prims.items():
            relation = prim.GetRelationship("physics:filteredPairs")
            for target in relation.GetTargets() if relation else ():
                other = self.by_path.get(str(target))
                if other is not None and other != name and (other, name) not in pairs:
                    pairs.append((name, other))
        return tuple(pairs)

    def _gravity(self) -> Any:
        """As a physics scene states it; without one, or where it leaves it open, the usual."""
        scene = next((prim for prim in self.stage.prims if prim.GetTypeName() == "PhysicsScene"), None)
        size, direction = 9.81, np.array((0.0, 0.0, -1.0))
        if scene is not None:
            stated = self.stage.number(scene, "physics:gravityMagnitude")
            size = size if stated is None or stated < 0.0 else stated * self.stage.metres
            vector = self.stage.numbers(scene, "physics:gravityDirection", 3)
            if vector is not None and any(vector):
                direction = self.stage.world.apply(np.array(vector) / np.linalg.norm(vector))
        return tuple((size * direction).tolist())


def _closed(joint: Joint, parent: RigidTransform, child: RigidTransform) -> Joint:
    """The joint with its frame on the child where its frame on the parent is, in the pose of the file."""
    frame = child.inverse() @ parent @ joint.frame_parent.transform
    return replace(joint, frame_child=Frame.from_transform(frame))


def _names(prims: Sequence[Any], taken: Sequence[str] = ()) -> list[str]:
    """Names of prims; those that several have are told apart by their paths."""
    counts = Counter([*(prim.GetName() for prim in prims), *taken])
    new_names = UniqueNames(taken)
    names = []
    for prim in prims:
        short = prim.GetName()
        names.append(new_names.new(short if counts[short] == 1 else str(prim.GetPath()).strip("/")))
    return names
