"""Peers that follow a moving target: each frame begins where the last one ended.

All begin at the best solution for the first target, and where the end-point is as good upside down they are asked for
the way up that is nearer. Options were searched for the least mean error on the six postures of skeleton G.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from animato.express.facing.arrays import LOWER, UPPER, FacingArrays
from animato.express.facing.descent import Aim, evaluate
from animato.express.facing.errors import bend_weights
from animato.express.facing.looking import NOWHERE
from animato.express.facing.problem import FacingProblem
from animato.express.facing.solver import solve_facing
from animato.express.published.dls import DlsMemory, DlsTuning, dls_memory, dls_step, idle_joints
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import quaternion
from animato.mechanics.tree.kinematics.chains import Chain, tip_orientations
from animato.spatial import quaternions
from benchmarks.express_peers import mjcf_of, pinocchio_of

TOP_SPEED = 4.0  # [rad/s], of those that can hold it; the same as the tracker's
DLS = DlsTuning(iterations=10, posture_gain=0.005)
SQUARES_ITERATIONS, SQUARES_POSTURE, SQUARES_DAMPING = 8, 0.03, 1e-4
MINK_ITERATIONS, MINK_POSTURE, MINK_GAIN = 3, 0.01, 0.7
LIVELY_FACE, LIVELY_POSTURE, LIVELY_SMOOTH = 200.0, 240.0, 10.0


class Follower(Protocol):
    """Follows one target after another."""

    def __call__(self, target_wxyz: np.ndarray) -> np.ndarray:
        """Joint positions [rad], [n], for the next target."""


Maker = Callable[[FacingProblem, float], Follower]
"""Makes a follower of a problem and a rate [Hz]."""


class WarmStarted:
    """A peer that goes on from its last answer.

    Args:
        problem: The posture to hold.
        rate_hz: Frames a second.
    """

    def __init__(self, problem: FacingProblem, rate_hz: float) -> None:
        self.problem = problem
        self.period = 1.0 / rate_hz
        self.positions: np.ndarray | None = None
        self.half_turn = quaternions.quaternion_about(problem.chain.end_point.forward, np.pi)

    def __call__(self, target_wxyz: np.ndarray) -> np.ndarray:
        """Joint positions for the next target."""
        if self.positions is None:
            self.positions = solve_facing(self.problem, target_wxyz).positions
            self.begin(self.positions)
        self.positions = self.step(self.positions, self._upright(self.positions, target_wxyz))
        return self.positions

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        raise NotImplementedError

    def _upright(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """The target, or the same upside down where that is nearer and as good."""
        if not self.problem.weights.symmetric:
            return target_wxyz
        tip = tip_orientations(self.problem.chain, positions[None])[0]
        turned = quaternions.multiply(target_wxyz, self.half_turn)
        return turned if abs(tip @ turned) > abs(tip @ target_wxyz) else target_wxyz

    def _aim(self, target_wxyz: np.ndarray) -> np.ndarray:
        """What the product of turns should be, wxyz, [1, 4]."""
        rest = self.problem.turns.rest_wxyz
        return quaternions.multiply(target_wxyz, quaternions.conjugate(rest))[None]


class LocalSolver(WarmStarted):
    """animato's own solver, going downhill only; it knows that upside down is as good."""

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        return solve_facing(self.problem, target_wxyz, positions, reach="local").positions

    def _upright(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """The target as it is."""
        return target_wxyz


class Dls(WarmStarted):
    """The two-priority damped least squares baseline."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        arrays, count = self.problem.arrays, len(self.problem.turns.columns)
        self.memory = dls_memory(len(self.problem.psi))
        self.memory.descent.trial[0] = positions
        self.idle = idle_joints(arrays, count - 1)

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        _dls_frame(self.problem.arrays, self._aim(target_wxyz), self.idle, DLS, self.memory)
        return self.memory.descent.trial[0].copy()


@kernel
def _dls_frame(
    problem: FacingArrays, target: np.ndarray, idle: np.ndarray, tuning: DlsTuning, memory: DlsMemory
) -> None:
    """Some steps from where the joints are."""
    for _ in range(tuning.iterations):
        aim = Aim(quaternion(target, 0), problem.kinks[:, 0], 0.0, NOWHERE)
        _, e = evaluate(problem, aim, memory.descent.trial, 0, memory.descent, 0)
        dls_step(problem, e, idle, tuning, memory)


class LeastSquares(WarmStarted):
    """Least squares over orientation and joint angles inside the limits, by Gauss and Newton."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        weight = bend_weights(self.problem.chain)
        self.hold = SQUARES_POSTURE**2 * (weight / weight.max() + 1e-3)
        self.memory = dls_memory(len(positions))
        self.memory.descent.trial[0] = positions

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        _least_squares_frame(
            self.problem.arrays, self._aim(target_wxyz), self.hold, SQUARES_DAMPING, SQUARES_ITERATIONS, self.memory
        )
        return self.memory.descent.trial[0].copy()


@kernel
def _least_squares_frame(
    problem: FacingArrays, target: np.ndarray, hold: np.ndarray, damping: float, iterations: int, memory: DlsMemory
) -> None:
    """Minimizes |e|^2 + sum hold (q - psi)^2 with damped steps; a joint that would leave its limits stays on one."""
    now, m = memory.descent.trial, len(hold)
    held = np.zeros(m, np.bool_)
    for _ in range(iterations):
        aim = Aim(quaternion(target, 0), problem.kinks[:, 0], 0.0, NOWHERE)
        _, e = evaluate(problem, aim, now, 0, memory.descent, 0)
        J = memory.descent.axes[0]
        held[:] = False
        step = np.zeros(m)
        for _ in range(m):
            matrix, side = J @ J.T, np.zeros(m)
            for i in range(m):
                side[i] = J[i, 0] * e[0] + J[i, 1] * e[1] + J[i, 2] * e[2]
                side[i] += hold[i] * (problem.kinks[i, 0] - now[0, i])
                matrix[i, i] += hold[i] + damping
            for i in range(m):
                if held[i]:
                    side[i] = step[i]
                    for k in range(m):
                        if not held[k]:
                            side[k] -= matrix[k, i] * step[i]
                        matrix[i, k] = matrix[k, i] = 0.0
                    matrix[i, i] = 1.0
            step = np.linalg.solve(matrix, side)
            crossed = False
            for i in range(m):
                room = min(max(step[i], problem.limits[i, LOWER] - now[0, i]), problem.limits[i, UPPER] - now[0, i])
                if abs(room - step[i]) > 1e-12:
                    step[i], held[i], crossed = room, True, True
            if not crossed:
                break
        for i in range(m):
            now[0, i] += step[i]


class Mink(WarmStarted):
    """mink with an orientation and a posture task."""

    def begin(self, positions: np.ndarray) -> None:
        """Gets ready to go on from positions [n]."""
        self.mink, mujoco = importlib.import_module("mink"), importlib.import_module("mujoco")
        model = mujoco.MjModel.from_xml_string(mjcf_of(self.problem.chain))
        self.configuration = self.mink.Configuration(model)
        self.configuration.update(positions)
        self.facing = self.mink.FrameTask("tip", "site", position_cost=0.0, orientation_cost=1.0, gain=MINK_GAIN)
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
        self.facing = tasks.FrameTask("tip", position_cost=0.0, orientation_cost=1.0, gain=MINK_GAIN)
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
        names = self.problem.chain.names
        weight = bend_weights(self.problem.chain)
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
            self.solver = lively.Solver(urdf=urdf_of(self.problem), objectives=objectives, initial_state=state)
        self.goals = dict(zip(names, self.problem.posture.tolist(), strict=True))
        self.time = 0.0

    def step(self, positions: np.ndarray, target_wxyz: np.ndarray) -> np.ndarray:
        """From positions [n] to the next, [n]."""
        w, x, y, z = self._aim(target_wxyz)[0].tolist()
        goals = {"face": self.lively.Rotation(w=w, x=x, y=y, z=z), **self.goals}
        state = self.solver.solve(goals=goals, weights={}, time=self.time)
        self.time += self.period
        return np.array([state.joints[name] for name in self.problem.chain.names])


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
