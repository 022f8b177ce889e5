"""A steady problem: a character that bends, an artist's clip, and what is to follow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import block_diag, csr_array

from animato.character import Character
from animato.described import Described, shortened
from animato.errors import OptionError, unknown_name
from animato.loading import as_character, as_clip
from animato.mechanics.simulation import (
    System,
    build_system,
    end_bodies,
    motor_frames,
    motor_profile,
    quasi_static,
)
from animato.motion import Clip
from animato.steady.options import Options, Tracked
from animato.steady.problem.scenarios import Scenario, Variation, variations
from animato.steady.profiles import (
    ProfileBasis,
    ProfileLimits,
    TorqueLimits,
    motor_limits,
    piecewise_linear,
    profile_limits,
    torque_limits,
)

_POINTS_A_SECOND = 25.0
_STILL = 0.02  # [m/s]: slower than this a target counts as standing


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Described):
    """What is asked for.

    Attributes:
        character: Whose motors they are.
        clip: The artist's, its coordinates those of the motors.
        options: What is wanted.
        tracked: Bodies that are to follow their targets.
        basis: Splines of the profiles.
        artist: Unknowns nearest to the clip, [size].
        times: Steps of the simulation, from 0 [s], [time].
        place_weights, turn_weights: Of each tracked body at each step, the step's width included, [time, body].
        limits: Of the profiles, None where they do not count.
        torque: Of the motors, None where it does not count.
        scenarios: Models that count, the nominal one first.
        levers: Mean squared metres that tracked bodies move per radian of each motor, as weighted, [motor].
    """

    character: Character
    clip: Clip
    options: Options
    tracked: tuple[Tracked, ...]
    basis: ProfileBasis
    artist: np.ndarray
    times: np.ndarray
    place_weights: np.ndarray
    turn_weights: np.ndarray
    limits: ProfileLimits | None
    torque: TorqueLimits | None
    scenarios: tuple[Scenario, ...]
    levers: np.ndarray

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.character.name,
            "clip": f"{self.clip.source or 'clip'}, {self.basis.duration:.3g} s",
            "motors": shortened(self.basis.names),
            "tracked": shortened([one.body for one in self.tracked]),
            "parameters": f"{self.basis.size}",
            "models": shortened([one.variation.name for one in self.scenarios]),
        }

    @property
    def step_s(self) -> float:
        """Between steps [s]."""
        return float(self.times[1] - self.times[0])

    @property
    def row_measure(self) -> float:
        """How much a control point counts in a barrier: the time it stands for [s]."""
        return self.basis.duration / self.basis.count

    @cached_property
    def _matrices(self) -> tuple[csr_array, csr_array, csr_array]:
        return self.basis.matrix(self.times), self.basis.matrix(self.times, 1), self.basis.matrix(self.times, 2)

    def theta(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Profiles of unknowns and their first two derivatives at the steps, [time, motor] each."""
        points = self.basis.control_points(x)
        value, first, second = (np.ascontiguousarray(matrix @ points) for matrix in self._matrices)
        return value, first, second

    def back(self, g: np.ndarray, g_v: np.ndarray, g_a: np.ndarray) -> np.ndarray:
        """A gradient by profiles and their derivatives at the steps as one by unknowns, [size]."""
        value, first, second = self._matrices
        return self.basis.unknowns(np.asarray(value.T @ g + first.T @ g_v + second.T @ g_a))

    @cached_property
    def regularizer(self) -> csr_array:
        """Of the distance from the artist's profile: d int B B^T dt, for all motors."""
        return self._all_motors(self.options.deviation_weight * self._gram(0))

    @cached_property
    def smoother(self) -> csr_array:
        """Of accelerations: r int B'' B''^T dt, for all motors."""
        return self._all_motors(self.options.acceleration_weight * self._gram(2))

    @cached_property
    def near_matrix(self) -> csr_array:
        """What Gauss and Newton's matrix would be if levers were constant and motors did not know of each other."""
        gram = self._gram(0)
        tracked = csr_array(block_diag([lever * gram for lever in self.levers], format="csr"))
        return csr_array(tracked + self.regularizer + self.smoother)

    def _gram(self, derivative: int) -> csr_array:
        matrix = self._matrices[derivative]
        return csr_array(self.step_s * (matrix.T @ matrix))

    def _all_motors(self, block: csr_array) -> csr_array:
        return csr_array(block_diag([block] * len(self.basis.names), format="csr"))


def build(
    character: Character | str | Path,
    motion: Clip | str | Path,
    options: Options | None = None,
    *,
    tracked: Sequence[Tracked | str] = (),
) -> Problem:
    """Builds a problem.

    Args:
        character: With flexible parts; or its file, or the name of a shipped one.
        motion: What its motors are to do; or a file, or the name of a shipped clip.
        options: What is wanted.
        tracked: Bodies that are to follow their targets, by name or as `Tracked`; where not given, all bodies at the
            ends of the character.

    Raises:
        CharacterError: The character cannot be simulated.
        MotionError: The clip starts away from rest, is a single frame, or moves no motor.
        OptionError: A tracked body is not there.
    """
    options, model = options or Options(), as_character(character)
    clip = as_clip(motion, model)
    asked = tracked or end_bodies(model)
    chosen = tuple(Tracked.parsed(one) if isinstance(one, str) else one for one in asked)
    names = tuple(one.body for one in chosen)
    for name in names:
        if name not in {body.name for body in model.bodies}:
            raise unknown_name("body", name, [body.name for body in model.bodies], model.name)
    if len(set(names)) < len(names):
        raise OptionError(f"A body is tracked once; give spans of emphasis to one entry. Tracked: {', '.join(names)}.")
    nominal = build_system(model, tracked=names)
    motors = tuple(nominal.motor_names)
    clip = Clip(clip.times, motors, motor_frames(nominal, clip), source=clip.source)
    motor_profile(nominal, clip, options.step_s)  # refuses what starts away from rest
    steps = max(8, round(clip.duration / options.step_s))
    times = np.linspace(0.0, clip.duration, steps + 1)
    count = options.control_points or max(8, round(_POINTS_A_SECOND * clip.duration))
    basis = ProfileBasis.over(motors, float(clip.times[0]), clip.duration, count)
    artist = basis.fitted(clip)
    theta = piecewise_linear(clip, clip.times[0] + times)
    wanted = variations(options)
    scenarios = tuple(_scenario(model, one, names, theta, 1.0 / len(wanted)) for one in wanted)
    places, turns = _weights(chosen, options, times, scenarios[0].target_points)
    limits, torque = _limits(model, basis, artist, options)
    levers = _levers(scenarios[0].system, theta, places, turns)
    return Problem(model, clip, options, chosen, basis, artist, times, places, turns, limits, torque, scenarios, levers)


def _scenario(
    character: Character, variation: Variation, tracked: tuple[str, ...], theta: np.ndarray, share: float
) -> Scenario:
    stiffness = variation.motor_stiffness
    system = build_system(variation.applied(character, tracked), tracked=tracked, joint_stiffness=stiffness or None)
    target = quasi_static(system, theta)
    return Scenario(variation, system, share, target.u[0], target.lam[0], target.points, target.rotations)


def _weights(
    tracked: tuple[Tracked, ...], options: Options, times: np.ndarray, targets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of places and of turns, the width of a step included, [time, body] each."""
    step = times[1] - times[0]
    widths = np.full(len(times), step)
    widths[[0, -1]] *= 0.5
    speed = np.linalg.norm(np.gradient(targets, step, axis=0), axis=2)
    still = np.where(speed < _STILL, options.hold_weight, 1.0)
    factors = np.column_stack([one.factors(times) for one in tracked]) * still * widths[:, None]
    places = factors * np.array([one.weight for one in tracked])
    return places, options.orientation_weight * factors * np.array([one.orientation for one in tracked])


def _limits(
    character: Character, basis: ProfileBasis, artist: np.ndarray, options: Options
) -> tuple[ProfileLimits | None, TorqueLimits | None]:
    stated = motor_limits(character, basis.names)
    torque = torque_limits(stated)
    # accelerations of cubic splines are straight between knots, so that their peak is at one of them
    peak = float(np.abs(basis.matrix(np.unique(basis.knots), 2) @ basis.control_points(artist)).max())
    most = options.acceleration_factor * peak if options.acceleration_factor > 0.0 else np.inf
    profile = None
    if options.limits or np.isfinite(most):
        counted = stated if options.limits else tuple(replace(one, **_NO_LIMITS) for one in stated)
        profile = profile_limits(basis, counted, artist, acceleration=most, margin=options.margin)
    return profile, torque if options.torque and torque.any else None


_NO_LIMITS = dict.fromkeys(("lower", "upper", "velocity", "acceleration", "jerk"))


def _levers(system: System, theta: np.ndarray, places: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """How far tracked bodies go with each motor, squared and weighted, by small changes of slow poses."""
    change, moments = 1e-3, np.linspace(0, len(theta) - 1, 5).astype(int)
    weights = places.sum(axis=0) / places.sum(axis=0).max(initial=1e-300) * places.mean() / places.mean(axis=0).max()
    levers = np.zeros(theta.shape[1])
    base = quasi_static(system, theta[moments])
    for motor in range(theta.shape[1]):
        moved = theta[moments].copy()
        moved[:, motor] += change
        there = quasi_static(system, moved)
        travel = np.mean(np.sum((there.points - base.points) ** 2, axis=2), axis=0) / change**2
        levers[motor] = float(np.sum(travel * weights))
    return np.maximum(levers, 1e-4 * max(levers.max(initial=0.0), 1e-6))
