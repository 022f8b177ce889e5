"""Peers that follow a moving target: each frame begins where the last one ended.

All begin where animato begins. Where the end-point is as good upside down they are asked for the way up that is nearer,
and where any roll will do for the roll that they have; a point is looked at from where their eye is. Options were
searched for the least mean error on six postures of skeleton G while a target circles it at 25 degrees a second.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from animato.express.facing import LOWER, UPPER, FacingProblem, build_facing_problem, solve_facing
from animato.express.facing.errors import bend_weights
from animato.express.gaze import tip_pose
from animato.mechanics.tree.kinematics.chains import Chain
from animato.spatial import quaternions
from benchmarks.express_peers import mjcf_of, pinocchio_of
from benchmarks.express_track_cases import Case

TOP_SPEED = 4.0  # [rad/s], of those that can hold it
MINK_ITERATIONS, MINK_POSTURE, MINK_GAIN = 3, 0.01, 0.7
LIVELY_FACE, LIVELY_POSTURE, LIVELY_SMOOTH = 200.0, 240.0, 10.0


class WarmStarted:
    """A peer that goes on from its last answer.

    Args:
        case: The posture to hold, where to begin and how many frames a second there are.
    """

    def __init__(self, case: Case) -> None:
        self.problem, self.positions = case.facing, case.start
        self.period = 1.0 / case.course.rate_hz
        self.free = self.problem.roll_tolerance > 0.0
        self.forward = np.array(self.problem.chain.end_point.forward)
        self.half_turn = quaternions.quaternion_about(self.forward, np.pi)
        self.begin(self.positions)

    def __call__(self, asked: np.ndarray) -> np.ndarray:
        """Joint positions for the next orientation wxyz [4] or point [3]."""
        self.positions = self.step(self.positions, self._wanted(asked))
        return self.positions

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        raise NotImplementedError

    def _wanted(self, asked: np.ndarray) -> np.ndarray:
        """The orientation next to the end-point's own that will do, wxyz."""
        tip, eye = tip_pose(self.problem.chain, self.positions)
        if self.free:
            toward = asked - eye if len(asked) == 3 else quaternions.rotate(asked, self.forward)
            return quaternions.multiply(_swing(quaternions.rotate(tip, self.forward), toward), tip)
        turned = quaternions.multiply(asked, self.half_turn)
        symmetric = self.problem.weights.symmetric
        return turned if symmetric and abs(tip @ turned) > abs(tip @ asked) else asked

    def _facing_costs(self) -> np.ndarray:
        """Of turns about the axes of the end-point, for mink and pink, [3]: none about a free facing axis."""
        return np.ones(3) - np.abs(self.forward) if self.free else np.ones(3)


class LocalSolver(WarmStarted):
    """animato's own solver, going downhill only."""

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        return solve_facing(self.problem, target_wxyz, positions, reach="local").positions


class Mink(WarmStarted):
    """mink with an orientation and a posture task."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        self.mink, mujoco = importlib.import_module("mink"), importlib.import_module("mujoco")
        model = mujoco.MjModel.from_xml_string(mjcf_of(self.problem.chain))
        self.configuration = self.mink.Configuration(model)
        self.configuration.update(positions)
        costs = {"position_cost": 0.0, "orientation_cost": self._facing_costs(), "gain": MINK_GAIN}
        self.facing = self.mink.FrameTask("tip", "site", **costs)
        holding = self.mink.PostureTask(model, cost=_posture_cost(self.problem.chain))
        holding.set_target(self.problem.posture)
        top_speeds = {name: np.array([TOP_SPEED]) for name in self.problem.chain.names}
        speeds = self.mink.VelocityLimit(model, top_speeds)
        self.tasks, self.limits = [self.facing, holding], [self.mink.ConfigurationLimit(model), speeds]

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        self.facing.set_target(self.mink.SE3.from_rotation(self.mink.SO3(target_wxyz)))
        for _ in range(MINK_ITERATIONS):
            dt = self.period / MINK_ITERATIONS
            arguments = (self.configuration, self.tasks, dt, "daqp")
            velocity = self.mink.solve_ik(*arguments, damping=1e-6, limits=self.limits)
            self.configuration.integrate_inplace(velocity, dt)
        return np.array(self.configuration.q)


class Pink(WarmStarted):
    """pink with an orientation and a posture task."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        self.pink, self.pin = importlib.import_module("pink"), importlib.import_module("pinocchio")
        model = pinocchio_of(self.problem.chain, self.pin)
        model.velocityLimit[:] = TOP_SPEED
        self.configuration = self.pink.Configuration(model, model.createData(), positions)
        tasks = self.pink.tasks
        self.facing = tasks.FrameTask("tip", position_cost=0.0, orientation_cost=self._facing_costs(), gain=MINK_GAIN)
        holding = tasks.PostureTask(cost=_posture_cost(self.problem.chain))
        holding.set_target(self.problem.posture)
        self.tasks = [self.facing, holding]

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        self.facing.set_target(self.pin.SE3(quaternions.matrix_from_quaternion(target_wxyz), np.zeros(3)))
        for _ in range(MINK_ITERATIONS):
            dt = self.period / MINK_ITERATIONS
            arguments = (self.configuration, self.tasks, dt)
            velocity = self.pink.solve_ik(*arguments, solver="daqp", damping=1e-6, safety_break=False)
            self.configuration.integrate_inplace(velocity, dt)
        return np.array(self.configuration.q)


class Lively(WarmStarted):
    """Lively with goals for the orientation and every joint, and its own smoothness objective."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        self.lively = lively = importlib.import_module("lively")
        chain = self.problem.chain
        exact = build_facing_problem(chain, self.problem.posture)  # without a joint for the roll
        self.rest = exact.turns.rest_wxyz
        names = chain.names
        weight = bend_weights(chain)
        share = np.sqrt(weight / weight.max() + 1e-3)  # a little for joints that twist, so that they come back
        objectives = {
            "face": lively.OrientationMatchObjective(name="face", link="tip", weight=LIVELY_FACE),
            "smooth": lively.SmoothnessMacroObjective(
                name="smooth", weight=LIVELY_SMOOTH, joints=True, origin=False, links=False
            ),
        }
        for name, weight in zip(names, share, strict=True):
            objectives[name] = lively.JointMatchObjective(name=name, joint=name, weight=LIVELY_POSTURE * weight)
        still = lively.Transform.identity()
        state = lively.State(origin=still, joints=dict(zip(names, positions.tolist(), strict=True)))
        with _quiet():  # it prints the whole robot
            self.solver = lively.Solver(urdf=urdf_of(exact), objectives=objectives, initial_state=state)
        self.goals = dict(zip(names, self.problem.posture.tolist(), strict=True))
        self.time = 0.0

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        w, x, y, z = quaternions.multiply(target_wxyz, quaternions.conjugate(self.rest)).tolist()
        goals = {"face": self.lively.Rotation(w=w, x=x, y=y, z=z), **self.goals}
        state = self.solver.solve(goals=goals, weights={}, time=self.time)
        self.time += self.period
        return np.array([state.joints[name] for name in self.problem.chain.names])


PEERS: dict[str, tuple[type[WarmStarted], str]] = {
    "local": (LocalSolver, ""),
    "mink": (Mink, "mink"),
    "pink": (Pink, "pink"),
    "lively": (Lively, "lively"),
}
"""How each peer is made, and the package it needs."""


def _swing(forward: np.ndarray, toward: np.ndarray) -> np.ndarray:
    """The shortest turn from one direction [3] to another of any length [3], wxyz."""
    axis = np.cross(forward, toward)
    angle = np.arctan2(np.linalg.norm(axis), forward @ toward)
    length = np.linalg.norm(axis)
    if length < 1e-12:  # straight on, or straight back about any axis across
        axis = np.cross(forward, np.eye(3)[np.argmin(np.abs(forward))])
        length = np.linalg.norm(axis)
    return quaternions.quaternion_about(axis / length, angle)


def _posture_cost(chain: Chain) -> np.ndarray:
    """Of each joint for mink and pink, [n]."""
    weight = bend_weights(chain)
    return MINK_POSTURE * np.sqrt(weight / weight.max())


def urdf_of(problem: FacingProblem) -> str:
    """The turning joints as a URDF; at zero all frames are those of the world, so no angles of Euler are needed.

    Link 'tip' has the orientation that the product of turns has. Lengths do not matter to it.
    """
    text = '<?xml version="1.0"?><robot name="chain"><link name="base"/>'
    links = ["base", *(f"link_{i}" for i in range(1, len(problem.psi))), "tip"]
    for i, (x, y, z) in enumerate(problem.turns.axis):
        lower, upper = problem.arrays.limits[i, LOWER], problem.arrays.limits[i, UPPER]
        text += (
            f'<link name="{links[i + 1]}"/><joint name="{problem.chain.names[i]}" type="revolute">'
            f'<parent link="{links[i]}"/><child link="{links[i + 1]}"/>'
            f'<origin xyz="0 0 0.1" rpy="0 0 0"/><axis xyz="{x:.12g} {y:.12g} {z:.12g}"/>'
            f'<limit lower="{lower:.12g}" upper="{upper:.12g}" effort="1" velocity="1000"/></joint>'
        )
    return text + "</robot>"


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing that compiled code prints gets to standard output."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
