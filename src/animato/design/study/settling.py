"""Where a mechanism with too few motors comes to rest: springs and gravity decide what motors leave open.

A first step towards what Maloisel et al. (2023) leave for the future, underactuated robots: quasi-static, one pose
after the other, no dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import FREEDOM, Character, Joint, JointRole, JointType, mass_properties_of
from animato.design.terms import turn_slopes
from animato.errors import MechanismError, MotionError, OptionError
from animato.mechanics.loops import newton
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import (
    Mechanism,
    constraint_jacobians,
    factor_constraints,
    joint_coordinates,
    sensitivities,
)
from animato.outcome import Outcome, Status

_ROUNDS = 100
_STILL = 1e-9
"""Largest slope of the energy, as a share of its scale, at which a pose is at rest."""
_STEP = 1e-5
_LONGEST = 0.3  # [rad or m] of one step, so that loops follow


@dataclass(frozen=True)
class Spring:
    """Pulls a joint of one axis to where it rests, with the energy 1/2 stiffness (q - rest)^2.

    Attributes:
        stiffness: [N m/rad, or N/m].
        rest: [rad or m].
    """

    stiffness: float
    rest: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.stiffness) and np.isfinite(self.rest) and self.stiffness >= 0.0):
            raise OptionError(f"A spring has a stiffness of at least 0 and a rest, not {self.stiffness}, {self.rest}.")


@dataclass(frozen=True, eq=False)
class Settled:
    """Poses at rest.

    Attributes:
        mechanism: With the joints that were left open taken as driven.
        left_open: Names of these joints.
        states: Shape [step, state].
        coordinates: Of the joints that were left open [rad or m], shape [step, joint].
        energy: Of springs and gravity [J], shape [step].
        outcome: Whether every pose is a minimum of the energy.
    """

    mechanism: Mechanism
    left_open: tuple[str, ...]
    states: np.ndarray
    coordinates: np.ndarray
    energy: np.ndarray
    outcome: Outcome


def settle(
    character: Character, controls: ArrayLike | None = None, *, springs: Mapping[str, Spring] | None = None
) -> Settled:
    """Finds where springs and gravity hold a mechanism, at every step near the pose of the step before.

    Args:
        character: Its motors may be too few, or none.
        controls: Of its motors [rad or m], shape [step, control]; rest where not given.
        springs: By joint of one axis, passive or not.

    Raises:
        MechanismError: Freedom is left that no joint of one axis stands for, or a loop that does not close.
        MotionError: Controls of another shape.
        OptionError: A spring for a joint that has not one axis.
    """
    pulling = dict(springs or {})
    for name in pulling:
        if FREEDOM[character.joint(name).type] != 1:
            raise OptionError(f"A spring is for joints of one axis; '{name}' is {character.joint(name).type}.")
    driven, left_open = _driven(character, pulling)
    names = tuple(name for name in driven.control_names if name not in left_open)
    rest = np.array([driven.controls[driven.control_names.index(name)] for name in names])
    table = rest[None] if controls is None else np.atleast_2d(np.asarray(controls, dtype=np.float64))
    if table.shape[1] != len(names) or not np.all(np.isfinite(table)):
        shape = list(table.shape)
        raise MotionError(f"`controls` must be finite and have the shape [step, {len(names)}], not {shape}.")
    energy = _Energy(driven, pulling, left_open)
    u, state = driven.controls.copy(), driven.state
    states, energies = [], []
    outcome = Outcome(Status.SOLVED, "Every pose is at rest.")
    motors = [driven.control_names.index(name) for name in names]
    for k, row in enumerate(table):
        u[motors] = row
        u, state, value, trouble = energy.least(u, energy.closed(u, state))
        states.append(state)
        energies.append(value)
        if trouble and outcome.solved:
            outcome = Outcome(Status.STALLED, f"Step {k}: {trouble}", k)
    found = np.array(states)
    open_values = joint_coordinates(driven, found).columns(left_open) if left_open else np.zeros((len(found), 0))
    return Settled(driven, left_open, found, open_values, np.array(energies), outcome)


def _driven(character: Character, springs: Mapping[str, Spring]) -> tuple[Mechanism, tuple[str, ...]]:
    """The mechanism with as many passive joints taken as driven as it has freedom left, those with springs first."""
    taken: dict[str, JointRole] = {}
    mechanism = build_mechanism(character, require_actuated=False)
    passive = [
        joint.name
        for joint in character.joints
        if FREEDOM[joint.type] == 1 and joint.role is JointRole.PASSIVE and joint.coupling is None
    ]
    for name in sorted(passive, key=lambda name: name not in springs):
        if not mechanism.free_bodies:
            break
        trial = build_mechanism(character, roles={**taken, name: JointRole.ACTUATED}, require_actuated=False)
        if trial.counts.redundant_active == mechanism.counts.redundant_active:
            mechanism = trial
            taken[name] = JointRole.ACTUATED
    if mechanism.free_bodies:
        free = ", ".join(mechanism.free_bodies[:5])
        raise MechanismError(
            f"These bodies of '{character.name}' move freely, and no passive hinge or slide says how: {free}. Give "
            "them a joint of one axis, or lock what spins idly."
        )
    return build_mechanism(character, roles=taken), tuple(taken)


class _Energy:
    """Potential energy over the coordinates that are left open."""

    def __init__(self, mechanism: Mechanism, springs: Mapping[str, Spring], left_open: tuple[str, ...]) -> None:
        self.mechanism = mechanism
        self.open = np.array([mechanism.control_names.index(name) for name in left_open], dtype=int)
        self.names, self.springs = tuple(springs), list(springs.values())
        self.hinges = np.array([_joint(mechanism, name).type is JointType.REVOLUTE for name in self.names], dtype=bool)
        self.masses = [mass_properties_of(body) for body in mechanism.character.bodies]
        self.gravity = np.array(mechanism.character.gravity)
        limits = [_joint(mechanism, name).limits[0].range for name in left_open]
        self.low, self.high = np.array(limits).reshape(-1, 2).T

    def closed(self, u: np.ndarray, state: np.ndarray) -> np.ndarray:
        """The state near another at which all loops are closed."""
        solved = newton(self.mechanism, state[None], u[None], self.mechanism.design[None])
        if not solved.converged[0]:
            raise MechanismError(f"The loops of '{self.mechanism.name}' do not close near the pose before.")
        return np.asarray(solved.states[0])

    def at(self, state: np.ndarray) -> float:
        """Of a state [J]."""
        value = 0.0
        for n, mass in enumerate(self.masses):
            pose = state[7 * n : 7 * n + 7]
            value -= mass.mass * float(self.gravity @ (pose[:3] + turn_applied(pose[3:], mass.centre)))
        for spring, off in zip(self.springs, self._stretch(state[None])[0], strict=True):
            value += 0.5 * spring.stiffness * off**2
        return value

    def slope(self, u: np.ndarray, state: np.ndarray) -> np.ndarray:
        """Derivative by the coordinates that are left open [J/rad or J/m], loops kept closed."""
        m = self.mechanism
        found = constraint_jacobians(m, state[None], u[None], m.design)
        along = -sensitivities(found, factor_constraints(m, found.state))[0][:, self.open]
        by_state = np.zeros(len(state))
        for n, mass in enumerate(self.masses):
            first = 7 * n
            by_state[first : first + 3] -= mass.mass * self.gravity
            by_state[first + 3 : first + 7] -= (
                mass.mass * self.gravity @ turn_slopes(state[first + 3 : first + 7], mass.centre)
            )
        slope = by_state @ along
        if self.springs:
            stiff = np.array([spring.stiffness for spring in self.springs])
            both = np.vstack([state + _STEP * along.T, state - _STEP * along.T])
            moved = self._stretch(both).reshape(2, len(self.open), -1)
            slope = slope + ((moved[0] - moved[1]) / (2.0 * _STEP)) @ (stiff * self._stretch(state[None])[0])
        return np.asarray(slope)

    def _stretch(self, states: np.ndarray) -> np.ndarray:
        """How far every spring is from its rest, shape [step, spring]."""
        if not self.names:
            return np.zeros((len(states), 0))
        values = joint_coordinates(self.mechanism, states).columns(self.names)
        off = values - np.array([spring.rest for spring in self.springs])
        turns = np.round(off / (2.0 * np.pi))
        return np.asarray(off - 2.0 * np.pi * np.where(self.hinges, turns, 0.0))

    def least(self, u: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, str]:
        """Newton's method with a line search; controls, state, energy, and what is wrong with them, or ""."""
        u, value = u.copy(), self.at(state)
        scale = self._scale()
        for _ in range(_ROUNDS):
            slope = self.slope(u, state)
            w = u[self.open]
            loose = ~(((w <= self.low) & (slope > 0.0)) | ((w >= self.high) & (slope < 0.0)))
            curvature = self._curvature(u, state)[np.ix_(loose, loose)]
            values, vectors = np.linalg.eigh(curvature)
            flat = bool(np.any(values < -1e-6 * scale))
            if np.max(np.abs(slope[loose]), initial=0.0) <= _STILL * scale and not flat:
                return u, state, value, ""
            step = np.zeros(len(w))
            step[loose] = -vectors @ ((vectors.T @ slope[loose]) / np.maximum(np.abs(values), 1e-9 * scale))
            if np.max(np.abs(slope[loose]), initial=0.0) <= _STILL * scale:  # on a ridge: fall to one side
                step[loose] = 0.05 * vectors[:, 0]
            step *= min(1.0, _LONGEST / max(float(np.max(np.abs(step))), 1e-300))
            taken = self._searched(u, state, value, step)
            if taken is None:
                still = np.max(np.abs(slope[loose]), initial=0.0) <= 1e-6 * scale
                return u, state, value, "" if still else "no step lowers the energy any further."
            u, state, value = taken
        return u, state, value, f"the energy still falls after {_ROUNDS} rounds."

    def _searched(
        self, u: np.ndarray, state: np.ndarray, value: float, step: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float] | None:
        length = 1.0
        while length > 1e-6:
            trial = u.copy()
            trial[self.open] = np.clip(u[self.open] + length * step, self.low, self.high)
            solved = newton(self.mechanism, state[None], trial[None], self.mechanism.design[None])
            if solved.converged[0] and self.at(solved.states[0]) < value:
                return trial, np.asarray(solved.states[0]), self.at(solved.states[0])
            length *= 0.5
        return None

    def _curvature(self, u: np.ndarray, state: np.ndarray) -> np.ndarray:
        """Second derivatives, by differences of the slope."""
        found = np.empty((len(self.open), len(self.open)))
        for n, column in enumerate(self.open):
            sides = []
            for sign in (1.0, -1.0):
                moved = u.copy()
                moved[column] += sign * _STEP
                sides.append(self.slope(moved, self.closed(moved, state)))
            found[n] = (sides[0] - sides[1]) / (2.0 * _STEP)
        return 0.5 * (found + found.T)

    def _scale(self) -> float:
        """What energies are large here [J]."""
        weight = sum(mass.mass for mass in self.masses) * float(np.linalg.norm(self.gravity))
        return max(weight * self.mechanism.length, *(one.stiffness for one in self.springs), 1e-9)


def turn_applied(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R(q) x for a quaternion that may be a little off unit length, of which `turn_slopes` is the derivative."""
    w, v = q[0], q[1:]
    return np.asarray((w * w - v @ v) * x + 2.0 * (v @ x) * v + 2.0 * w * np.cross(v, x))


def _joint(mechanism: Mechanism, name: str) -> Joint:
    return next(joint for joint in mechanism.joints if joint.name == name)
