"""The stand on which a part swings, simulated: held at one end, pulled aside, let go."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from animato.character import Character, FlexiblePart, Material
from animato.errors import CharacterError, MotionError, unknown_name
from animato.mechanics.simulation import IntegrationOptions, State, System, build_system, integrate, solve_statics
from animato.mechanics.simulation.dynamics import build_work, put_forces, put_outputs
from animato.mechanics.simulation.vibration import vibration_modes
from animato.steady.materials.oscillation import Oscillation

_STEPS_A_PERIOD = 200
_LARGEST_STEP = 1e-3  # [s]
_G = 9.81

HELD_SHARE = 0.1
"""Of a period after the estimated release that is not looked at: when exactly it was let go is not known."""


@dataclass(frozen=True)
class Guess:
    """All that is fitted. Stiffness is a factor on the part's own; `hold` is the sideways pull that bends it, in g."""

    stiffness: float
    beta: float
    hold: float
    offset: float = 0.0
    late: float = 0.0
    alpha: float = 0.0
    second: float = 0.0
    second_rate: float = 0.0


@dataclass(frozen=True, eq=False)
class Stand:
    """The stand: a character whose motor holds the part still, and the body at its tip."""

    character: Character
    part: FlexiblePart
    body: str
    record: Oscillation

    def material(self, guess: Guess) -> Material:
        """What the part is made of by a guess."""
        own = self.part.material
        return replace(
            own,
            youngs_modulus=guess.stiffness * own.youngs_modulus,
            mass_damping=max(guess.alpha, 0.0),
            stiffness_damping=max(guess.beta, 0.0),
        )

    def made_of(self, material: Material) -> Character:
        """The character with its part of another material."""
        parts = tuple(
            replace(part, material=material) if part.name == self.part.name else part
            for part in self.character.flexible_parts
        )
        return replace(self.character, flexible_parts=parts)

    def displacement(self, guess: Guess) -> np.ndarray:
        """Of the model at the times of the record [m], [frame]; NaN where it came to nothing."""
        stand = self.made_of(self.material(guess))
        system = build_system(stand, tracked=(self.body,))
        held = np.zeros(len(system.motor_names))
        rest = solve_statics(system, held)
        x, y, z = np.asarray(stand.gravity) + guess.hold * _G * self.record.direction
        bent = solve_statics(
            build_system(replace(stand, gravity=(float(x), float(y), float(z))), tracked=(self.body,)), held
        )
        u, v = bent.u[0].copy(), np.zeros(system.unknown_count)
        if guess.second or guess.second_rate:
            shape, rate = self.second_mode(system, held, rest.u[0], rest.lam[0])
            u += guess.second * shape
            v += guess.second_rate * rate * shape
        end = self.record.times[-1] + max(guess.late, 0.0)
        step = min(_LARGEST_STEP, 1.0 / (_STEPS_A_PERIOD * self.record.frequency_hz))
        steps = int(np.ceil(end / step)) + 2
        motors = np.zeros((steps + 1, 3, len(held)))
        run = integrate(system, motors, step, IntegrationOptions(), start=State(u, v, bent.lam[0]))
        if not run.outcome.usable:
            return np.full(len(self.record.times), np.nan)
        swing = (run.points[:, 0] - rest.points[0, 0]) @ self.record.direction
        return _sampled(run.times, swing, self.record.times + guess.late) + guess.offset

    def second_mode(self, system: System, held: np.ndarray, u: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, float]:
        """The next mode that swings along the record, as unknowns for one metre at the tip, and its rate [rad/s]."""
        modes = vibration_modes(system, held, u, lam, count=min(8, len(u)))
        tip = modes.shapes @ _tip_jacobian(system, modes.pose).T
        for n, frequency in enumerate(modes.frequencies_hz):
            along = float(tip[n] @ self.record.direction)
            if frequency > 2.0 * modes.frequencies_hz[0] and abs(along) > 0.5 * float(np.linalg.norm(tip[n])):
                return modes.shapes[n, : system.unknown_count] / along, 2.0 * np.pi * float(frequency)
        raise MotionError("The model has no second mode along the line of the record.")


def _tip_jacobian(system: System, pose: np.ndarray) -> np.ndarray:
    """Changes of the tip's place with all coordinates, [3, n]."""
    n, work, rest = system.coordinate_count, build_work(system.packed), np.zeros(system.coordinate_count)
    put_forces(
        system.packed, work, pose, rest, rest, np.zeros(system.row_count), np.empty(n), np.empty(system.row_count)
    )
    points, rotations = np.empty((1, 3)), np.empty((1, 3, 3))
    by_points, by_turns = np.empty((1, 3, n)), np.empty((1, 3, n))
    put_outputs(system.packed, work, points, rotations, by_points, by_turns)
    return by_points[0]


def build_stand(character: Character, record: Oscillation, part: str | None, body: str | None) -> Stand:
    """Finds the part and the body at its tip; see `fit_material`."""
    parts = {one.name: one for one in character.flexible_parts}
    if not parts:
        raise CharacterError(f"'{character.name}' has no flexible part whose material could be fitted.")
    if part is None and len(parts) > 1:
        raise CharacterError(f"'{character.name}' has several flexible parts; choose `part` from {', '.join(parts)}.")
    name = part or next(iter(parts))
    if name not in parts:
        raise unknown_name("flexible part", name, list(parts), character.name)
    tip = body or parts[name].interfaces[-1].body
    if tip not in {one.name for one in character.bodies}:
        raise unknown_name("body", tip, [one.name for one in character.bodies], character.name)
    return Stand(character, parts[name], tip, record)


def _sampled(times: np.ndarray, values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Values between steps, by the cubic through them; before the first one it is held."""
    return np.asarray(CubicSpline(times, values)(np.maximum(where, times[0])))
