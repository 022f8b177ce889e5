"""What the published method found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import JointType
from animato.described import Described
from animato.mimic.mesh import MeshSequence, Presolved
from animato.mimic.published.dynamics import Robot
from animato.mimic.published.problem import PublishedProblem
from animato.motion import Clip
from animato.outcome import Outcome


@dataclass(frozen=True, eq=False, repr=False)
class PublishedResult(Described):
    """Markers and joints before and after the second step.

    Attributes:
        problem: What was asked.
        meshes: Of the scaled source.
        presolved: The first step's markers.
        before: The robot fitted to them.
        positions: The second step's markers [m], [frame, marker, 3].
        after: The robot fitted to those: the third step.
        clip: Its joint trajectories and base.
        outcome: How it ended.
        seconds: It took.
    """

    problem: PublishedProblem
    meshes: MeshSequence
    presolved: Presolved
    before: Robot
    positions: np.ndarray
    after: Robot
    clip: Clip
    outcome: Outcome
    seconds: float

    def facts(self) -> dict[str, str]:
        """At a glance."""
        zmp = [self.zmp_max_cm(after=after) for after in (False, True)]
        return {
            "frames": str(len(self.clip.times)),
            "markers": str(self.positions.shape[1]),
            "ZMP from the feet's middle": f"{zmp[0]:.1f} cm before, {zmp[1]:.1f} after",
            "Laplacian energy": f"{1e4 * float(self.laplacian.mean()):.0f} cm^2 a frame",
            "fit": f"{1e3 * float(self.fit_errors.mean()):.1f} mm a marker",
            "ended": str(self.outcome),
        }

    def zmp_offsets(self, *, after: bool = True) -> np.ndarray:
        """The ZMP seen from the middle of the feet [m], [frame, 2], after the second step or before."""
        robot = self.after if after else self.before
        return np.asarray(robot.zmp.values - robot.centre)

    def zmp_max_cm(self, *, after: bool = True) -> float:
        """Its largest part along x or y [cm]; half of the square's side is allowed."""
        return 100.0 * float(np.abs(self.zmp_offsets(after=after)).max())

    @property
    def laplacian(self) -> np.ndarray:
        """E_L of the answer's markers [m^2], [frame]."""
        return self.meshes.energies(self.positions)

    @property
    def fit_errors(self) -> np.ndarray:
        """Distances of the robot's markers from the answer's [m], [frame, marker]."""
        return np.asarray(np.linalg.norm(self.after.fit.markers - self.positions, axis=2))

    @property
    def torques(self) -> dict[str, np.ndarray]:
        """Inverse dynamics without contact by joint [N m], [frame] each; whole above the waist."""
        names = self.problem.markers.tree.dof_names
        return {name: self.after.tau[:, k] for k, name in enumerate(names) if k >= 6}


def clip_of(problem: PublishedProblem, robot: Robot) -> Clip:
    """Joint trajectories and base of a robot."""
    postures, tree = robot.fit.postures, problem.markers.tree
    return Clip(
        problem.times,
        tree.coordinate_names,
        postures.q,
        base_positions=postures.root[:, :3],
        base_quaternions_wxyz=postures.root[:, 3:],
        source="retargeted as published",
    )


@dataclass(frozen=True, eq=False)
class JointRanges:
    """Limits by degree of freedom, infinite where there is none; the root has none.

    Attributes:
        angle: Lower and upper [rad or m], [2, dof].
        speed: [rad/s or m/s], [dof].
    """

    angle: np.ndarray
    speed: np.ndarray


def joint_ranges(problem: PublishedProblem) -> JointRanges:
    """The robot's own."""
    names = problem.markers.tree.dof_names
    angle, speed = np.full((2, len(names)), np.inf), np.full(len(names), np.inf)
    angle[0] = -np.inf
    for joint in problem.markers.character.free_joints:
        if joint.type is JointType.SPHERICAL:
            continue
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True):
            k = names.index(name)
            angle[:, k] = limits.range
            speed[k] = limits.velocity if limits.velocity else np.inf
    return JointRanges(angle, speed)


def crossings_of(problem: PublishedProblem, robot: Robot) -> dict[str, float]:
    """By how much what was asked for is crossed at the worst, as a share of each limit; 0 where it holds."""
    options, ranges, found = problem.options, joint_ranges(problem), {}
    if options.balance:
        offsets = np.abs(robot.zmp.values - robot.centre) / (0.5 * options.square_m)
        found["the ZMP's square"] = float(offsets.max()) - 1.0
    if options.joint_limits:
        q, (lower, upper) = robot.fit.postures.q, ranges.angle[:, 6:]
        used = np.concatenate([lower - q, q - upper], axis=1)
        found["joint limits"] = float(used[np.isfinite(used)].max(initial=0.0))
    if options.velocity_limits:
        found["velocity limits"] = float(np.abs(robot.rates.v / ranges.speed).max()) - 1.0
    if options.torques:
        names = problem.markers.tree.dof_names
        shares = [np.abs(robot.tau[:, names.index(name)]).max() / most for name, most in options.torques.items()]
        found["torque limits"] = float(max(shares)) - 1.0
    return {what: max(0.0, crossing) for what, crossing in found.items()}
