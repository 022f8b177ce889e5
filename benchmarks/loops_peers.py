"""Where MuJoCo and Pinocchio have the bodies of a robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character, JointType, Vector
from animato.character.structure import rest_poses
from animato.formats.mjcf.document import load_mjcf_document
from animato.formats.mjcf.model import compiled
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@lru_cache(maxsize=2)
def _mujoco_model(path: Path) -> Any:
    # Meshes and textures weigh, collide and shine; where bodies are does not hang on them, and many are not there.
    return compiled(load_mjcf_document(path), path).arrays


def mujoco_places(path: Path, values: Mapping[str, Vector], *, reference: bool) -> dict[str, RigidTransform]:
    """T_world_body of MuJoCo's own reading.

    Args:
        path: The MJCF file.
        values: Coordinates by joint [rad or m].
        reference: Whether to take the file's reference pose instead.
    """
    import mujoco

    model = _mujoco_model(path)
    data = mujoco.MjData(model)
    if not reference:
        for number in range(model.njnt):
            name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, number) or f"joint_{number}"
            one_axis = int(model.jnt_type[number]) in (
                int(mujoco.mjtJoint.mjJNT_HINGE),
                int(mujoco.mjtJoint.mjJNT_SLIDE),
            )
            if one_axis and len(values.get(name, ())) == 1:
                data.qpos[model.jnt_qposadr[number]] = values[name][0]
    mujoco.mj_kinematics(model, data)
    return {
        mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, number) or f"body_{number}": RigidTransform(
            data.xpos[number].copy(), quaternions.normalized(data.xquat[number])
        )
        for number in range(1, model.nbody)
    }


@lru_cache(maxsize=2)
def _pinocchio_model(path: Path) -> Any:
    import pinocchio

    return pinocchio.buildModelFromUrdf(str(path))


def pinocchio_places(path: Path, values: Mapping[str, Vector], *, reference: bool) -> dict[str, RigidTransform]:
    """T_world_body of Pinocchio's reading of a URDF file; mimic joints are set like all others.

    Args:
        path: The URDF file.
        values: Coordinates by joint [rad or m].
        reference: Not used: a URDF file is drawn at zero.
    """
    import pinocchio

    model = _pinocchio_model(path)
    q = pinocchio.neutral(model)
    for number in range(1, model.njoints):
        joint, name = model.joints[number], model.names[number]
        if name not in values or len(values[name]) != 1:
            continue
        if joint.nq == 1:
            q[joint.idx_q] = values[name][0]
        elif joint.nq == 2 and joint.nv == 1:  # a joint that turns endlessly: cosine and sine
            q[joint.idx_q : joint.idx_q + 2] = np.cos(values[name][0]), np.sin(values[name][0])
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, q)
    return {
        frame.name: RigidTransform(
            np.array(data.oMf[number].translation), quaternions.quaternion_from_matrix(data.oMf[number].rotation)
        )
        for number, frame in enumerate(model.frames)
        if frame.type == pinocchio.FrameType.BODY
    }


def pinocchio_tied_gap(path: Path, character: Character) -> float:
    """How far apart the frames that a loop file ties are in Pinocchio's reading of the URDF, at our rest [m].

    How each joint stands is read off our poses of its two links, of which only what the joint can do is taken: a
    link that it cannot bring there shows as a gap. Joints that the loop file calls balls or
    cardans turn about all axes.

    Args:
        path: The URDF file.
        character: As read from it and its loop file.
    """
    import pinocchio

    model, ours = _pinocchio_model(path), rest_poses(character)
    types = {joint.name: joint.type for joint in character.joints}
    links = {0: str(model.frames[1].name)}  # of each joint: the link that moves with it
    for frame in model.frames:
        if frame.type == pinocchio.FrameType.BODY and frame.placement.isIdentity(1e-12):
            links.setdefault(int(frame.parentJoint), str(frame.name))
    places = [pinocchio.SE3.Identity()]
    for number in range(1, model.njoints):
        joint, parent = model.joints[number], int(model.parents[number])
        moved = model.jointPlacements[number].actInv(_placement(ours[links[parent]].inverse() @ ours[links[number]]))
        if types.get(str(model.names[number])) in (JointType.SPHERICAL, JointType.UNIVERSAL):
            motion = pinocchio.SE3(moved.rotation, np.zeros(3))
        else:
            data = joint.createData()
            joint.calc(data, pinocchio.neutral(model))
            axis = np.ravel(data.S)
            motion = pinocchio.exp6(axis * float(axis @ pinocchio.log6(moved).vector))
        places.append(places[parent] * model.jointPlacements[number] * motion)
    gaps = []
    for tie in (joint for joint in character.joints if not model.existFrame(joint.name)):
        if tie.type is JointType.GROUND:
            continue
        ends = [
            _frame_place(model, places, body).act(np.array(frame.position))
            for body, frame in ((tie.parent, tie.frame_parent), (tie.child, tie.frame_child))
        ]
        gaps.append(float(np.linalg.norm(ends[0] - ends[1])))
    return max(gaps)


def _frame_place(model: Any, places: Sequence[Any], body: str) -> Any:
    frame = model.frames[model.getFrameId(body)]
    return places[int(frame.parentJoint)] * frame.placement


def _placement(transform: RigidTransform) -> Any:
    import pinocchio

    return pinocchio.SE3(quaternions.matrix_from_quaternion(transform.quaternion_wxyz), np.array(transform.position))
