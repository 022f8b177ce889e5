"""Reads MJCF files, the format of MuJoCo, by way of MuJoCo's own compiler."""

from __future__ import annotations

from pathlib import Path

from animato.character import WORLD, Body, Character, Frame, Joint, JointRole, JointType
from animato.errors import AnimatoError, CharacterError, FileFormatError
from animato.formats.files import UniqueNames
from animato.formats.loops import tied_at_rest, with_tied_postures
from animato.formats.mjcf.bodies import body_of, markers_of
from animato.formats.mjcf.constraints import loop_joints, neutral_at_reference, postures_of, uses_world, with_couplings
from animato.formats.mjcf.document import load_mjcf_document
from animato.formats.mjcf.joints import JointReader, drives_of
from animato.formats.mjcf.model import MjcfModel, compiled
from animato.formats.mjcf.springs import with_springs_held
from animato.formats.mjcf.tendons import with_tendons
from animato.spatial.rigid_transform import RigidTransform


def load_mjcf(path: str | Path) -> Character:
    """Reads an MJCF file.

    Bodies, joints, geoms, sites, keyframes, joint actuators, equality constraints and excluded
    contacts are kept, and fixed tendons that couple joints, see `with_tendons`; floors, sensors, other tendons
    and soft bodies are not, and springs only say where a closed mechanism rests: see `with_springs_held`. A free
    joint makes the character float; without one the world holds it. Joints are counted as in the file; only where
    loops close, zero is the pose in which the model is drawn, because that is where MuJoCo closes loops,
    or, where they are open even there, the nearest pose that closes them. The description says so where
    that is not the file's zero.

    Args:
        path: The file, usually .xml.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        FileFormatError: It is no MJCF file, MuJoCo refuses it, or it does not hold one character.
    """
    document = load_mjcf_document(path)
    model = compiled(document, path)
    try:
        return _Scene(model, document.driven_joints).character()
    except FileFormatError:
        raise
    except AnimatoError as error:
        raise FileFormatError(path, str(error)) from None


class _Scene:
    """A compiled model while it is turned into a character."""

    def __init__(self, model: MjcfModel, driven: set[str]) -> None:
        self.model, self.driven = model, driven
        arrays = model.arrays
        self.parents: list[int] = arrays.body_parentid.tolist()
        self.joint_names = _named(model, "JOINT", range(arrays.njnt), "joint")
        self.drives = drives_of(model)
        self.free_body = self._free_body()
        roots = set(self._kept_roots())
        kept = [index for index in range(1, arrays.nbody) if self._root(index) in roots]
        if not kept:
            raise CharacterError("The file has no bodies; a character needs at least one.")
        self.body_names = _named(model, "BODY", kept, "body")
        self.new_bodies = UniqueNames(self.body_names.values())
        self.new_joints = UniqueNames(self.joint_names.values())

    def _root(self, index: int) -> int:
        """The body below the world that a body hangs on."""
        while self.parents[index] != 0:
            index = self.parents[index]
        return index

    def _has_joints(self, root: int) -> bool:
        counts = self.model.arrays.body_jntnum
        return any(counts[index] for index in range(1, len(self.parents)) if self._root(index) == root)

    def _free_body(self) -> int | None:
        arrays = self.model.arrays
        free = [
            int(body)
            for body, kind in zip(arrays.jnt_bodyid, arrays.jnt_type, strict=True)
            if kind == self.model.mujoco.mjtJoint.mjJNT_FREE
        ]
        if len(free) > 1:
            names = ", ".join(f"'{self.model.name('BODY', body)}'" for body in free[:5])
            raise CharacterError(
                f"The file has {len(free)} free bodies ({names}); keep one character and remove the rest."
            )
        return free[0] if free else None

    def _kept_roots(self) -> list[int]:
        """All bodies below the world; around a free one, what stands still is scenery and left out."""
        roots = [index for index in range(1, len(self.parents)) if self.parents[index] == 0]
        if self.free_body is None:
            return roots
        others = [root for root in roots if root != self.free_body and self._has_joints(root)]
        if others:
            raise CharacterError(
                f"The file has a free body and, apart from it, the moving body '{self.model.name('BODY', others[0])}'; "
                f"keep one character and remove the rest."
            )
        return [self.free_body]

    def _role(self, joint: int) -> JointRole:
        """Actuated where an actuator drives it; in a file without actuators everywhere."""
        known = bool(self.drives or self.driven)
        driven = joint in self.drives or self.joint_names[joint] in self.driven
        return JointRole.ACTUATED if driven or not known else JointRole.PASSIVE

    def character(self) -> Character:
        arrays = self.model.arrays
        reader = JointReader(self.model, self.drives, self.joint_names, self._role, self.new_bodies)
        joints, bodies = self._base()
        for index, name in self.body_names.items():
            if index == 0:
                continue
            bodies.append(body_of(self.model, index, name))
            if index == self.free_body:
                continue
            moves = bool(arrays.body_jntnum[index])
            on_world = self.parents[index] == 0
            if moves:
                chain, between = reader.chain(index, self.body_names[self.parents[index]], name)
                joints += chain
                bodies += between
            else:
                frame = Frame.from_transform(RigidTransform(arrays.body_pos[index], arrays.body_quat[index]))
                kind, parent = (
                    (JointType.GROUND, WORLD) if on_world else (JointType.FIXED, self.body_names[self.parents[index]])
                )
                joints.append(
                    Joint(self.new_joints.new(f"{name}.{kind.value}"), kind, parent, name, frame_parent=frame)
                )
        joints, said = with_couplings(joints, self.model, self.joint_names)
        joints, said_of_tendons = with_tendons(joints, self.model, self.joint_names)
        loops = loop_joints(self.model, self.body_names, [joint.name for joint in joints])
        tree = Character(
            str(arrays.names[: arrays.names.find(b"\0")].decode() or "character"),
            tuple(bodies),
            tuple(joints),
            markers=markers_of(self.model, self.body_names),
            postures=postures_of(self.model, joints, self.joint_names),
            ignored_collisions=self._ignored_collisions(),
            gravity=tuple(arrays.opt.gravity.tolist()),
            description=". ".join([*said, *said_of_tendons]),
        )
        if not loops:
            return tree
        tree = neutral_at_reference(tree, self.model, self.joint_names)
        tied = with_tied_postures(tied_at_rest(tree, loops), tree)
        return with_springs_held(tied, self.model, self.joint_names)

    def _base(self) -> tuple[list[Joint], list[Body]]:
        """A body without mass that stands for the world, where joints or loops hang on the world itself."""
        counts = self.model.arrays.body_jntnum
        on_world = [index for index in self.body_names if self.parents[index] == 0]
        needed = uses_world(self.model) or any(counts[index] for index in on_world if index != self.free_body)
        if not needed:
            return [], []
        if self.free_body is not None:
            raise CharacterError("A free body is tied to the world by an equality constraint; make it inactive.")
        name = self.new_bodies.new("base")
        self.body_names[0] = name
        return [Joint(self.new_joints.new(f"{name}.ground"), JointType.GROUND, WORLD, name)], [Body(name)]

    def _ignored_collisions(self) -> tuple[tuple[str, str], ...]:
        pairs = []
        for signature in self.model.arrays.exclude_signature.tolist():
            first, second = signature >> 16, signature & 0xFFFF
            if first in self.body_names and second in self.body_names:
                pairs.append((self.body_names[first], self.body_names[second]))
        return tuple(pairs)


def _named(model: MjcfModel, kind: str, indices: range | list[int], word: str) -> dict[int, str]:
    """Names of bodies or joints by their number; those without one are numbered."""
    names = {index: model.name(kind, index) for index in indices}
    new_names = UniqueNames(names.values())
    return {index: name or new_names.new(f"{word}_{index}") for index, name in names.items()}
