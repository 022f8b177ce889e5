"""mink and pink at the same task: a frame task for the orientation, a posture task, joint limits, many iterations.

Both are differential: one call solves a quadratic program for a velocity. They are given the target the right way up as
the DLS baseline is, start a share of the way to the posture, and their best iterate by the combined error counts. The
posture's cost of a joint goes with the root of its weight in the posture error. Costs, gain, start and iterations were
searched on skeletons C and G.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from animato.express.facing.errors import FacingError, bend_weights, facing_errors
from animato.express.facing.kernel import targets_of
from animato.express.facing.problem import FacingProblem
from animato.express.published.dls import upright_target
from animato.mechanics.tree.chains import Chain
from animato.spatial import quaternions
from benchmarks.express_samples import Case

ITERATIONS = 150
TIME_STEP = 1.0
POSTURE_COST = 0.003
GAIN = 0.7
START = 0.3

Peer = Callable[[np.ndarray, np.ndarray, np.ndarray], Iterator[np.ndarray]]
"""From a start [n], a posture [n] and an orientation wxyz [4] to iterates [n]."""


def installed_peers(chain: Chain) -> dict[str, Callable[[Case, np.ndarray], FacingError]]:
    """Those that are installed, by name: each solves a case for a target wxyz [4]."""
    builders = {"mink": mink_peer, "pink": pink_peer}
    found = {name: build for name, build in builders.items() if importlib.util.find_spec(name) is not None}
    return {name: _solver(build(chain)) for name, build in found.items()}


def _solver(peer: Peer) -> Callable[[Case, np.ndarray], FacingError]:
    def solve(case: Case, target_wxyz: np.ndarray) -> FacingError:
        logging.disable(logging.WARNING)  # a micron outside a limit is not worth a line to us
        try:
            return solved(peer, case.problem, target_wxyz)
        finally:
            logging.disable(logging.NOTSET)

    return solve


def posture_cost(chain: Chain) -> np.ndarray:
    """Of each joint, [n]."""
    weight = bend_weights(chain)
    return POSTURE_COST * np.sqrt(weight / weight.max())


def solved(peer: Peer, problem: FacingProblem, target_wxyz: np.ndarray) -> FacingError:
    """Errors of the iterate of a peer that has the least combined error."""
    frame = problem.frame
    turns = targets_of(target_wxyz[None], frame[0:1], frame[1:2], problem.weights.symmetric)
    upright = np.array(upright_target(problem.arrays, turns, problem.turns.facing[None]))
    target = quaternions.multiply(upright, problem.turns.rest_wxyz)
    iterates = np.array(list(peer(START * problem.posture + 0.05, problem.posture, target)))
    targets = np.tile(target_wxyz, (len(iterates), 1))
    errors = facing_errors(problem.chain, iterates, problem.posture, targets, problem.weights)
    n = int(np.argmin(errors.combined))
    every = (errors.combined, errors.orientation, errors.posture, errors.shape)
    return FacingError(*(float(one[n]) for one in every))


def mink_peer(chain: Chain) -> Peer:
    """mink on a MuJoCo model of the chain."""
    mink, mujoco = importlib.import_module("mink"), importlib.import_module("mujoco")
    model = mujoco.MjModel.from_xml_string(mjcf_of(chain))
    limits = [mink.ConfigurationLimit(model)]

    def iterates(start: np.ndarray, posture: np.ndarray, target: np.ndarray) -> Iterator[np.ndarray]:
        configuration = mink.Configuration(model)
        configuration.update(start)
        facing = mink.FrameTask("tip", "site", position_cost=0.0, orientation_cost=1.0, gain=GAIN)
        facing.set_target(mink.SE3.from_rotation(mink.SO3(target)))
        holding = mink.PostureTask(model, cost=posture_cost(chain))
        holding.set_target(posture)
        for _ in range(ITERATIONS):
            velocity = mink.solve_ik(configuration, [facing, holding], TIME_STEP, "daqp", damping=1e-6, limits=limits)
            configuration.integrate_inplace(velocity, TIME_STEP)
            yield configuration.q.copy()

    return iterates


def mjcf_of(chain: Chain) -> str:
    """The chain for MuJoCo; every body has some mass because a model needs it."""
    arrays = chain.arrays
    turns = quaternions.quaternion_from_matrix(arrays.rotation)
    base = quaternions.quaternion_from_matrix(arrays.base_rotation)
    tip = quaternions.quaternion_from_matrix(arrays.tip_rotation)

    def numbers(values: np.ndarray) -> str:
        return " ".join(f"{value:.12g}" for value in values)

    text = f'<mujoco><compiler angle="radian"/><worldbody><body quat="{numbers(base)}">'
    for i in range(len(chain.names)):
        text += (
            f'<body pos="{numbers(arrays.position[i])}" quat="{numbers(turns[i])}">'
            f'<joint name="{chain.names[i]}" type="hinge" axis="{numbers(arrays.axis[i])}" limited="true" '
            f'range="{arrays.lower[i]:.12g} {arrays.upper[i]:.12g}"/><geom size="0.01" mass="0.1"/>'
        )
    text += f'<site name="tip" quat="{numbers(tip)}"/>' + "</body>" * (len(chain.names) + 1)
    return text + "</worldbody></mujoco>"


def pink_peer(chain: Chain) -> Peer:
    """pink on a Pinocchio model of the chain."""
    pink, pin = importlib.import_module("pink"), importlib.import_module("pinocchio")
    model = pinocchio_of(chain, pin)
    data = model.createData()

    def iterates(start: np.ndarray, posture: np.ndarray, target: np.ndarray) -> Iterator[np.ndarray]:
        configuration = pink.Configuration(model, data, start)
        facing = pink.tasks.FrameTask("tip", position_cost=0.0, orientation_cost=1.0, gain=GAIN)
        facing.set_target(pin.SE3(quaternions.matrix_from_quaternion(target), np.zeros(3)))
        holding = pink.tasks.PostureTask(cost=posture_cost(chain))
        holding.set_target(posture)
        for _ in range(ITERATIONS):
            velocity = pink.solve_ik(
                configuration, [facing, holding], TIME_STEP, solver="daqp", damping=1e-6, safety_break=False
            )
            configuration.integrate_inplace(velocity, TIME_STEP)
            yield configuration.q.copy()

    return iterates


def pinocchio_of(chain: Chain, pin: Any) -> Any:
    """The chain for Pinocchio, with velocities as good as unlimited."""
    arrays = chain.arrays
    model = pin.Model()
    parent, before = 0, pin.SE3(arrays.base_rotation, arrays.base_position)
    for i, name in enumerate(chain.names):
        joint = pin.JointModelRevoluteUnaligned(arrays.axis[i])
        place = before * pin.SE3(arrays.rotation[i], arrays.position[i])
        bounds = (np.array([1e3]), np.array([1e3]), arrays.lower[i : i + 1], arrays.upper[i : i + 1])
        parent, before = model.addJoint(parent, joint, place, name, *bounds), pin.SE3.Identity()
        model.appendBodyToJoint(parent, pin.Inertia.Random(), pin.SE3.Identity())
    tip = pin.SE3(arrays.tip_rotation, arrays.tip_position)
    model.addFrame(pin.Frame("tip", parent, 0, tip, pin.FrameType.OP_FRAME))
    return model
