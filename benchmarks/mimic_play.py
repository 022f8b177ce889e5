"""Motions of humanoids played in MuJoCo, under its own contacts: how long the robot stays upright.

The robot knows nothing of balance: every joint is driven to its place and speed in the motion by a spring and a damper
within its limit of torque. Gains are one set for all motions and robots, ours and the peers': a joint's spring reaches
its limit of torque where it is bent by `BEND`, since an ankle that carries the whole robot moves little of its own.
Before a motion begins the robot stands in its first frame, held at its base so that it cannot tilt or drift, and sinks
onto its feet until the springs bear it; then it is let go with the speeds of that frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from animato.character import Character
from animato.mechanics.tree import SLIDE, TURN, States, forward_kinematics, packed_tree, states_of_clip
from animato.mimic.anatomy import Anatomy
from animato.motion import Clip
from animato.spatial import quaternions

TIME_STEP = 0.0005
"""Of the simulation [s]."""

BEND = 0.01
"""By which a joint's spring is bent when it gives the joint's whole torque [rad or m]."""

DAMPING_S = 0.01
"""Damping over stiffness of each joint [s]."""

GAINS = tuple((bend, damping) for bend in (0.005, 0.01, 0.02) for damping in (0.005, 0.01, 0.02))
"""Bends and dampings around these two, with which motions are played as well.

Once a foot tips, what follows is chance: a little more or less damping, and a robot falls a second sooner or not at
all. How many of these gains a motion survives says more than one of them."""

ARMATURE_S2 = 1.5e-4
"""Inertia of a motor behind its gears over its limit of torque [s^2/rad]: that of the motors of the G1, about.

Without it a foot, which weighs little, trembles between stiff springs and the floor, and no robot stands still."""

SETTLING_S = 0.5
"""How long the robot is held before a motion begins [s]."""

UNKNOWN_TORQUE = 100.0
"""Of joints whose limit is not known [N m]."""

FRICTION = 0.7
FLOOR = ([0.005, 1.0], [0.99, 0.999, 0.001, 0.5, 2.0])
"""Time constant [s] and damping of contacts, and how hard they are: soles of hard rubber rather than of foam."""

TIPPED = np.radians(30.0)
"""Tilt of the base from which it counts as fallen [rad] ..."""

LEANING = np.radians(10.0)
"""... or that much more than the motion itself leans, where that is more: dancers bow [rad]."""

_RADIUS = 0.005  # [m] of the balls at the corners of soles


@dataclass(frozen=True)
class Play:
    """What became of a played motion.

    Attributes:
        upright_s: Until the base tilts by `TIPPED`, or by `LEANING` more than in the motion, or the motion ends [s].
        duration_s: Of the motion [s].
        worst_tilt: Of the base [rad].
    """

    upright_s: float
    duration_s: float
    worst_tilt: float

    @property
    def stays_up(self) -> bool:
        return self.upright_s >= self.duration_s


def stays_percent(anatomy: Anatomy, clip: Clip) -> float:
    """How many of `GAINS` keep the robot upright to the end [%]."""
    return 100.0 * float(np.mean([play(anatomy, clip, bend, damping).stays_up for bend, damping in GAINS]))


def play(anatomy: Anatomy, clip: Clip, bend: float = BEND, damping_s: float = DAMPING_S) -> Play:
    """Plays a motion of a robot whose joints turn or slide.

    Args:
        anatomy: The robot and its soles.
        clip: Its motion, with the base.
        bend: See `BEND`.
        damping_s: See `DAMPING_S`.
    """
    model, data = _model(anatomy, bend, damping_s)
    times = np.arange(0.0, clip.duration, TIME_STEP)
    states = states_of_clip(anatomy.character, clip, clip.times[0] + times)
    driven = _Driven.of(anatomy.character, model)
    places, speeds = driven.places(states), driven.speeds(states)
    wanted = places + damping_s * speeds
    _settle(anatomy, model, data, states, driven)
    leans = _tilts(states.root[:, 3:])
    worst, upright = 0.0, float(clip.duration)
    for moment, target in enumerate(wanted):
        data.ctrl[:] = target
        mujoco.mj_step(model, data)
        tilt = float(_tilts(data.qpos[3:7]))
        worst = max(worst, tilt)
        if tilt > max(TIPPED, leans[moment] + LEANING):
            upright = float(times[moment])
            break
    return Play(upright, float(clip.duration), worst)


@dataclass(frozen=True, eq=False)
class _Driven:
    """The driven joints, in the order of the actuators: MuJoCo has coordinates in an order of its own."""

    columns: np.ndarray
    dofs: np.ndarray
    scale: np.ndarray
    offset: np.ndarray
    q_rows: list[int]
    v_rows: list[int]

    @staticmethod
    def of(character: Character, model: Any) -> _Driven:
        tree = packed_tree(character).arrays
        steps = [s for s in range(1, len(tree.kind)) if tree.kind[s] in (TURN, SLIDE)]
        joints = [model.joint(f"step{step}") for step in steps]
        rows = [joint.qposadr[0] for joint in joints], [joint.dofadr[0] for joint in joints]
        return _Driven(tree.coordinate[steps], tree.dof[steps], tree.scale[steps], tree.offset[steps], *rows)

    def places(self, states: States) -> np.ndarray:
        """[moment, joint]."""
        return np.asarray(self.scale * states.positions[:, self.columns] + self.offset)

    def speeds(self, states: States) -> np.ndarray:
        """[moment, joint]."""
        return np.asarray(self.scale * states.velocities[:, self.dofs])


def _settle(anatomy: Anatomy, model: Any, data: Any, states: States, driven: _Driven) -> None:
    """Stands on the floor in the first frame, springs loaded, and then has its speeds."""
    mujoco.mj_resetData(model, data)
    first = driven.places(states)[0]
    base = states.root[0].copy()
    base[2] -= _lowest(anatomy, states)
    data.qpos[:7], data.qpos[driven.q_rows] = base, first
    for _ in range(round(SETTLING_S / TIME_STEP)):
        data.ctrl[:] = first
        mujoco.mj_step(model, data)
        data.qpos[[0, 1, 3, 4, 5, 6]] = base[[0, 1, 3, 4, 5, 6]]  # only up and down is free
        data.qvel[[0, 1, 3, 4, 5]] = 0.0
    data.qvel[:3] = quaternions.rotate(states.root[0, 3:], states.velocities[0, :3])
    data.qvel[3:6] = states.velocities[0, 3:6]
    data.qvel[driven.v_rows] = driven.speeds(states)[0]


def _tilts(turns_wxyz: np.ndarray) -> np.ndarray:
    """Angles between the base's own z axis and the vertical [rad]."""
    up = 1.0 - 2.0 * (turns_wxyz[..., 1] ** 2 + turns_wxyz[..., 2] ** 2)
    return np.asarray(np.arccos(np.clip(up, -1.0, 1.0)))


def _lowest(anatomy: Anatomy, states: States) -> float:
    """Height of the lowest corner of all soles at the first moment [m]."""
    poses = forward_kinematics(anatomy.character, states)
    return min(
        float(poses.of(foot.sole.body).apply(corner)[0, 2]) for foot in anatomy.feet for corner in foot.sole.corners
    )


@lru_cache(maxsize=4)
def _model(anatomy: Anatomy, bend: float, damping_s: float) -> tuple[Any, Any]:
    """The robot as MuJoCo has it, on a floor: a body a step of the packed tree, balls at the corners of the soles."""
    spec = mujoco.MjSpec()
    spec.option.timestep = TIME_STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone, spec.option.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0  # feet do not creep
    spec.option.gravity = anatomy.character.gravity
    spec.compiler.boundmass, spec.compiler.boundinertia = 1e-5, 1e-8  # joints of two axes have a massless step between
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], **_surface())
    tree = packed_tree(anatomy.character).arrays
    bodies: list[Any] = []
    for step in range(len(tree.kind)):
        above = spec.worldbody if tree.parent[step] < 0 else bodies[tree.parent[step]]
        bodies.append(_add_step(above, step, tree))
    for foot in anatomy.feet:
        _add_sole(bodies, anatomy.character, foot.sole.body, np.array(foot.sole.corners))
    for name, limit, stiffness, damping in _gains(anatomy, bend, damping_s):
        spec.add_actuator(
            target=name,
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            gainprm=[stiffness] + [0.0] * 9,
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
            biasprm=[0.0, -stiffness, -damping] + [0.0] * 7,
            forcelimited=True,
            forcerange=[-limit, limit],
        )
    model = spec.compile()
    for name, limit, _, _ in _gains(anatomy, bend, damping_s):
        model.dof_armature[model.joint(name).dofadr[0]] = ARMATURE_S2 * limit
    return model, mujoco.MjData(model)


def _add_step(above: Any, step: int, tree: Any) -> Any:
    body = above.add_body(
        name=f"step{step}",
        pos=tree.position[step],
        quat=quaternions.quaternion_from_matrix(tree.rotation[step]),
        mass=tree.mass[step],
        ipos=tree.centre[step],
        fullinertia=[tree.inertia[step][i] for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
        explicitinertial=True,
    )
    if step == 0:
        body.add_freejoint()
    elif tree.kind[step] in (TURN, SLIDE):
        kind = mujoco.mjtJoint.mjJNT_HINGE if tree.kind[step] == TURN else mujoco.mjtJoint.mjJNT_SLIDE
        body.add_joint(name=f"step{step}", type=kind, axis=[0, 0, 1])
    return body


def _add_sole(bodies: list[Any], character: Character, name: str, corners: np.ndarray) -> None:
    """Balls that touch the floor where the corners are."""
    packed = packed_tree(character)
    index = packed.body_names.index(name)
    rotation, place = packed.arrays.body_rotation[index], packed.arrays.body_position[index]
    for corner in corners:
        at = rotation @ (corner + np.array((0.0, 0.0, _RADIUS))) + place
        bodies[packed.arrays.body_step[index]].add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=[_RADIUS, 0, 0],
            pos=at,
            mass=0.0,
            **_surface(),
            contype=2,  # soles meet the floor, and not each other
        )


def _surface() -> dict[str, list[float]]:
    """Of the floor and of soles."""
    return {"friction": [FRICTION, 0.005, 0.0001], "solref": FLOOR[0], "solimp": FLOOR[1]}


def _gains(anatomy: Anatomy, bend: float, damping_s: float) -> list[tuple[str, float, float, float]]:
    """Joint, limit of torque, stiffness and damping of each step that is driven."""
    packed = packed_tree(anatomy.character)
    found = []
    for step in range(1, len(packed.arrays.kind)):
        joint = packed.dof_joints[packed.arrays.dof[step]]
        if joint is not None and packed.arrays.kind[step] in (TURN, SLIDE):
            limit = joint.limits[0].torque or UNKNOWN_TORQUE
            found.append((f"step{step}", limit, limit / bend, limit / bend * damping_s))
    return found
