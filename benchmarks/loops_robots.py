"""Robots of others, as they are in folders on this machine: read, at rest, and moving a little."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.character import Character, JointRole, JointType, Vector
from animato.character.structure import rest_coordinates, rest_poses, rest_stands, rezeroed, topology_of
from animato.errors import AnimatoError
from animato.formats import load_character
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.spatial.rigid_transform import RigidTransform
from benchmarks.loops_peers import mujoco_places, pinocchio_places, pinocchio_tied_gap

_SKIPPED = ("scene", "keyframe", "assets", "/test/", "/old/", "/tests/", "/meshes/")
_SMALL = 0.05  # [rad]; slides move a fifth of it [m]


@dataclass(frozen=True)
class Robot:
    """What became of a file.

    Attributes:
        name: Folder and file.
        source: Which of the folders it was found in.
        seconds: To read it.
        bodies, joints, loops: Of the character.
        rest_m: Largest distance of a body from where MuJoCo or Pinocchio has it at rest, or, for loops beside a
            URDF, by which Pinocchio has tied frames apart [m]; NaN where not known.
        gap_m: By which loops are open at rest [m].
        follows: Whether a small motion of its actuated joints is followed with loops closed, or where trees are.
        words: Why it was not read, does not follow, or what should be known.
    """

    name: str
    source: str
    seconds: float
    bodies: int = 0
    joints: int = 0
    loops: int = 0
    rest_m: float = np.nan
    gap_m: float = np.nan
    follows: bool = False
    words: str = ""

    @property
    def is_read(self) -> bool:
        """Whether there is a character at all."""
        return self.bodies > 0


def robot_files(folder: Path) -> Iterator[Path]:
    """The robots of a folder: MJCF files with a <worldbody> and URDF files, scenes and parts left out."""
    for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
        if any(word in f"/{path.relative_to(folder)}" for word in _SKIPPED) or path.stat().st_size > 5_000_000:
            continue
        text = path.read_text(errors="replace")
        if path.suffix == ".urdf" or ("<mujoco" in text and "<body" in text and "<worldbody" in text):
            yield path


def tried(path: Path, folder: Path) -> Robot:
    """One robot, read and compared."""
    name = str(path.relative_to(folder)).removesuffix(path.suffix)
    start = time.process_time()
    try:
        character = load_character(path)
    except AnimatoError as error:
        words = str(error).replace(f"{path.parent}/", "").replace(f"{folder}/", "")
        return Robot(name, folder.name, time.process_time() - start, words=words)
    seconds = time.process_time() - start
    loops = topology_of(character).loop_joints
    stands = rest_stands(character)
    gap = max((stand.distance for stand in stands.values()), default=0.0)
    rest, moved = _compared(path, character)
    follows, words = (moved < 1e-6, "") if not loops else _followed(character)
    return Robot(
        name,
        folder.name,
        seconds,
        len(character.bodies),
        len(character.free_joints),
        len(loops),
        rest,
        gap,
        follows,
        words,
    )


def _compared(path: Path, character: Character) -> tuple[float, float]:
    """Largest distance of bodies from the peer's at rest, and, of a tree, with its joints a little elsewhere [m]."""
    is_tree = topology_of(character).is_tree
    if path.suffix == ".urdf" and not is_tree:
        return pinocchio_tied_gap(path, character), np.nan
    places = mujoco_places if path.suffix == ".xml" else pinocchio_places
    generator = np.random.default_rng(0)
    moved: dict[str, Vector] = {}
    for joint in character.free_joints:
        if joint.type in (JointType.REVOLUTE, JointType.PRISMATIC):
            moved[joint.name] = (float(generator.uniform(-_SMALL, _SMALL)),)
    found = []
    for stands in ({}, moved):
        if stands and not is_tree:
            break
        ours = rest_poses(rezeroed(character, stands))
        values = {
            joint.name: stands.get(joint.name, rest_coordinates(joint))
            for joint in character.joints
            if joint.coordinate_names
        }
        for joint in character.joints:
            if joint.coupling is not None:
                leader = stands.get(joint.coupling.leader, (0.0,))[0]
                values[joint.name] = (joint.coupling.ratio * leader + joint.coupling.offset,)
        theirs = places(path, values, reference=not is_tree)
        found.append(_farthest(ours, theirs, character))
    return found[0], (found[1] if len(found) > 1 else np.nan)


def _farthest(ours: Mapping[str, RigidTransform], theirs: dict[str, RigidTransform], character: Character) -> float:
    """Seen from one body that both have, because a root may float."""
    names = [body.name for body in character.bodies if body.name in theirs]
    if not names:
        return np.nan
    first = ours[names[0]].inverse(), theirs[names[0]].inverse()
    return max(
        float(np.linalg.norm((first[0] @ ours[name]).position - (first[1] @ theirs[name]).position)) for name in names
    )


def _followed(character: Character) -> tuple[bool, str]:
    """Whether a small motion is followed, and what is to be said of the mechanism."""
    try:
        mechanism = build_mechanism(character)
    except AnimatoError as error:
        return False, str(error)
    limits = {joint.name: joint.limits[0] for joint in character.joints if joint.limits}
    times = np.linspace(0.0, np.pi, 12)
    controls = np.tile(mechanism.controls, (len(times), 1))
    for n, name in enumerate(mechanism.control_names):
        joint = next((one for one in character.joints if one.name == name), None)
        if joint is None or joint.role is not JointRole.ACTUATED:
            continue
        size = _SMALL if joint.type is JointType.REVOLUTE else 0.2 * _SMALL
        one = limits[name]
        # About the rest, or, where a file draws a robot outside its limits, about the nearest place inside them.
        low, high = (
            bound if bound is not None else end
            for bound, end in zip((one.lower, one.upper), (-10.0, 10.0), strict=True)
        )
        size = min(size, 0.5 * (high - low))
        controls[:, n] = np.clip(controls[0, n], low + size, high - size) + size * np.sin((1 + n % 3) * times)
    motion = loop_kinematics(mechanism, controls, require_reached=False)
    notes = []
    if mechanism.idle:
        notes.append(f"{len(mechanism.idle)} idle spins held")
    if mechanism.rest_is_singular:
        notes.append("rest is singular")
    if mechanism.counts.redundant_active:
        notes.append(f"{mechanism.counts.redundant_active} more actuators than freedoms")
    if motion.crossed:
        notes.append(f"passes a singular pose at step {motion.crossed[0]}")
    notes += ["starts in the nearest pose inside its limits"] if motion.entered else []
    if not motion.reached.all():
        stop = f"stops at step {int(np.argmin(motion.reached))} of {len(times)}"
        dead = " at a dead centre" if "dead centre" in motion.notes[-1] else ""
        return False, "; ".join([*notes, stop + dead])
    return bool(motion.residual.max() < 1e-8), "; ".join(notes)


def robots(folders: Sequence[Path], *, loops_only: bool = False) -> list[Robot]:
    """All robots of some folders; with `loops_only` those that close loops, or could not be read."""
    found = [tried(path, folder) for folder in folders for path in robot_files(folder)]
    return [robot for robot in found if not loops_only or robot.loops or not robot.is_read]
