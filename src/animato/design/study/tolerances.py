"""What manufacturing tolerances do to a design: Monte Carlo over its joint frames."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character, Frame, JointType
from animato.design.optimization import Performance, point_paths
from animato.errors import OptionError
from animato.mechanics.loops import newton
from animato.mechanics.loops.assembly import with_other_frames
from animato.mechanics.loops.constraints import Mechanism, constraint_values
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class ToleranceReport:
    """How far the points of interest stray from where the exact design has them.

    Attributes:
        names: Of the targets.
        positions: Distance of each point [m], shape [sample, step, target].
        orientations: Angle of each body [rad], shape [sample, step, target].
        play: Largest redundant row of joints of each sample [m or 1]: what its joints must give for it to go
            together, shape [sample].
        stuck: Samples whose loops did not close; they are not in the tables.
    """

    names: tuple[str, ...]
    positions: np.ndarray
    orientations: np.ndarray
    play: np.ndarray
    stuck: int

    def position_quantile_mm(self, share: float = 0.95) -> np.ndarray:
        """Distance that this share of samples and steps does not exceed [mm], shape [target]."""
        return np.asarray(1000.0 * np.quantile(self.positions, share, axis=(0, 1)))

    def orientation_quantile_deg(self, share: float = 0.95) -> np.ndarray:
        """Angle that this share of samples and steps does not exceed [deg], shape [target]."""
        return np.asarray(np.degrees(np.quantile(self.orientations, share, axis=(0, 1))))


def design_tolerances(
    performance: Performance,
    *,
    length_m: float = 1e-4,
    angle_rad: float = 1e-3,
    samples: int = 100,
    seed: int = 0,
) -> ToleranceReport:
    """Builds a design many times with inaccurate parts and lets it do its motion.

    Every joint frame on both bodies is moved and turned at random, and the kinematics is solved anew with the same
    controls, from the exact states.

    Args:
        performance: Initial or optimized, from a solution.
        length_m: Standard deviation of the place of a frame along each axis [m].
        angle_rad: Of its turn about each axis [rad].
        samples: How many.
        seed: Of the random numbers.
    """
    if samples < 1 or length_m < 0.0 or angle_rad < 0.0:
        raise OptionError(
            "Tolerances need `samples` of at least 1 and `length_m` and `angle_rad` of at least 0, "
            f"not {samples}, {length_m}, {angle_rad}."
        )
    problem, point = performance.problem, performance.point
    mechanism = problem.mechanism
    generator = np.random.default_rng(seed)
    designs = np.broadcast_to(point.design, (len(point.states), len(point.design)))
    names, exact_points, exact_turns = point_paths(mechanism, problem.motions, point.states)
    positions, orientations, play, stuck = [], [], [], 0
    for _ in range(samples):
        made = with_other_frames(mechanism, _inaccurate(mechanism.character, generator, length_m, angle_rad))
        solved = newton(made, point.states, point.controls, designs)
        if not solved.converged.all():
            stuck += 1
            continue
        _, points, turns = point_paths(made, problem.motions, solved.states)
        positions.append(np.linalg.norm(points - exact_points, axis=2))
        orientations.append(quaternions.angle_between(turns, exact_turns))
        play.append(_largest_redundant(made, solved.states, point.controls, point.design))
    shape = (0, *exact_points.shape[:2])
    return ToleranceReport(
        names,
        np.stack(positions) if positions else np.zeros(shape),
        np.stack(orientations) if orientations else np.zeros(shape),
        np.array(play),
        stuck,
    )


def _largest_redundant(mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> float:
    if not mechanism.counts.redundant_passive:
        return 0.0
    return float(np.max(np.abs(constraint_values(mechanism, states, controls, design, rows="redundant"))))


def _inaccurate(character: Character, generator: np.random.Generator, length: float, angle: float) -> Character:
    """The character with all joint frames a little off, but for what stands on the ground."""

    def off(frame: Frame) -> Frame:
        shift, turn = length * generator.standard_normal(3), angle * generator.standard_normal(3)
        turned = quaternions.multiply(frame.quaternion_wxyz, quaternions.quaternion_from_rotation_vector(turn))
        return Frame(tuple(np.asarray(frame.position) + shift), tuple(turned))

    joints = [
        joint
        if joint.type is JointType.GROUND
        else replace(joint, frame_parent=off(joint.frame_parent), frame_child=off(joint.frame_child))
        for joint in character.joints
    ]
    return replace(character, joints=tuple(joints))
