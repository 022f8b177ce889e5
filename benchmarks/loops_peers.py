"""Where MuJoCo and Pinocchio have the bodies of a robot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Vector
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
