"""What a character that bends does with a motion: simulated, beside what it would do if it were slow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.errors import SimulationError
from animato.mechanics.simulation import (
    IntegrationOptions,
    Integrator,
    System,
    Trajectory,
    build_system,
    integrate,
    motor_profile,
    quasi_static,
)
from animato.mechanics.simulation.posing import Performance
from animato.mechanics.simulation.vibration import vibration_modes
from animato.motion import Clip
from animato.report.bending import amplitude_spectrum
from animato.spatial import quaternions
from animato.steady import Variation
from animato.steady.judging import Trial
from animato.studio.watching import rest_clip

_MOMENT_S = 0.01  # between targets, in which nothing that is seen swings far
_STEPS, _ROUGH_STEPS = 5, 2  # of the integrator in that time
_FRAMES_HZ, _ROUGH_FRAMES_HZ = 100.0, 40.0
_MOST_POSES = 120_000  # of one figure: some 3.5 MB
_MODES = 6


@dataclass(frozen=True, eq=False)
class Figure:
    """One way in which the character moves, as pages play it.

    Attributes:
        times: [s], shape [frame].
        positions: Of all bodies, then of all links of rods [m], shape [frame, body, 3].
        quaternions_wxyz: Of the same, shape [frame, body, 4].
        coordinates: All of the character's [rad or m]; passive ones rest, shape [frame, coordinate].
        points: Middles of mass of the tracked bodies [m], shape [frame, tracked, 3].
    """

    times: np.ndarray
    positions: np.ndarray
    quaternions_wxyz: np.ndarray
    coordinates: np.ndarray
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class Wobble:
    """How far a motion is off what it is meant to be.

    Attributes:
        figure: How it moves and bends.
        times: [s], shape [moment].
        off: Of each tracked body [m], shape [moment, tracked].
        spectrum: Amplitudes of what is off, of all tracked bodies together [m], shape [frequency].
        frequencies: [Hz], shape [frequency].
        peak: Largest of `off` [m].
        ring: Largest late in pauses: what goes on swinging [m]; not a number where there is no pause.
    """

    figure: Figure
    times: np.ndarray
    off: np.ndarray
    spectrum: np.ndarray
    frequencies: np.ndarray
    peak: float
    ring: float


@dataclass(frozen=True, eq=False)
class Seen:
    """What came of a motion and of what a verb made of it.

    Attributes:
        target: What is meant: static equilibria along the artist's motion.
        before: The artist's motion.
        after: What a verb made of it; None where none has.
        modes_hz: Natural frequencies in the first pose, the slowest first.
        tracked: Bodies that were looked at.
        stiffness: Factor that it was simulated with.
        rough: Whether larger steps were taken, because somebody drags.
    """

    target: Figure
    before: Wobble
    after: Wobble | None
    modes_hz: tuple[float, ...]
    tracked: tuple[str, ...]
    stiffness: float
    rough: bool


def see(
    character: Character,
    motion: Clip,
    performed: Clip | None,
    is_steadied: bool,
    stiffness: float,
    tracked: tuple[str, ...],
    rough: bool,
) -> Seen:
    """Simulates a motion and what a verb made of it.

    Args:
        character: With parts that bend.
        motion: The artist's.
        performed: What a verb made of it.
        is_steadied: Whether that was `steady`: then it is to do what the artist's motion means; otherwise what it
            means itself.
        stiffness: Factor on the stiffness of all parts that bend.
        tracked: Bodies to look at.
        rough: Whether it is to be quick rather than accurate.

    Raises:
        CharacterError: It cannot be simulated.
        MotionError: A motion moves no motor.
        SimulationError: A step did not converge.
    """
    system = system_of(character, stiffness, tracked)
    target = _target(system, motion)
    before = _trial(system, motion, target, rough)
    after = None
    if performed is not None:
        after = _trial(system, performed, target if is_steadied else _target(system, performed), rough)
    first = target.coordinates[0, system.unknown_count :]
    modes = vibration_modes(system, first, target.u[0], target.lam[0], _MODES)
    rate = _rate(system, motion, rough)
    return Seen(
        _figure(before.target_performance(rate), before.times, target.points, character),
        _wobble(before, rate, character),
        None if after is None else _wobble(after, rate, character),
        tuple(float(one) for one in modes.frequencies_hz if np.isfinite(one)),
        tracked,
        stiffness,
        rough,
    )


@lru_cache(maxsize=6)
def system_of(character: Character, stiffness: float, tracked: tuple[str, ...]) -> System:
    """The character in minimal coordinates, its parts stiffer or softer by a factor."""
    return build_system(Variation(stiffness=stiffness).applied(character, tracked), tracked=tracked)


def _moments(clip: Clip) -> int:
    return max(8, round(clip.duration / _MOMENT_S))


@lru_cache(maxsize=6)
def _target(system: System, clip: Clip) -> Trajectory:
    """Static equilibria along a clip, at every moment."""
    _, motors = motor_profile(system, clip, clip.duration / _moments(clip), start_speed=np.inf)
    return quasi_static(system, motors[:, 0])


def _trial(system: System, clip: Clip, target: Trajectory, rough: bool) -> Trial:
    every = _ROUGH_STEPS if rough else _STEPS
    # a motion that does not begin at rest begins with a jolt, and that is to be seen
    times, motors = motor_profile(system, clip, clip.duration / (every * (len(target.u) - 1)), start_speed=np.inf)
    run = integrate(system, motors, float(times[1]), IntegrationOptions(integrator=Integrator.BDF2))
    if not run.outcome.usable:
        raise SimulationError(
            f"What '{system.character.name}' does cannot be worked out beyond {run.times[-1]:.2f} s: "
            f"{run.outcome.reason}. Make the motion slower there, or its parts stiffer."
        )
    return Trial(target, run, every, float(clip.times[0]))


def _rate(system: System, clip: Clip, rough: bool) -> float:
    """Frames a second that are shown [Hz]."""
    poses = len(system.character.bodies) + sum(len(links) for links in system.rods.values())
    return min(_ROUGH_FRAMES_HZ if rough else _FRAMES_HZ, _MOST_POSES / (poses * max(clip.duration, 1e-3)))


def _wobble(trial: Trial, rate_hz: float, character: Character) -> Wobble:
    frequencies, spectrum = amplitude_spectrum(trial.errors, trial.every * trial.run.step_s)
    figure = _figure(trial.performance(rate_hz), trial.start + trial.run.times, trial.run.points, character)
    return Wobble(figure, trial.times, trial.deviations, spectrum, frequencies, trial.peak, trial.hold_peak)


def _figure(performance: Performance, times: np.ndarray, points: np.ndarray, character: Character) -> Figure:
    """A performance for pages, with tracked points [m], shape [time, tracked, 3], known at times [s]."""
    frames = performance.times
    flat = points.reshape(len(points), -1)
    there = np.column_stack([np.interp(frames, times, column) for column in flat.T])
    coordinates = np.repeat(rest_clip(character).positions, len(frames), axis=0)
    columns = [character.coordinate_names.index(name) for name in performance.names]
    coordinates[:, columns] = performance.positions
    turns = quaternions.continuous(performance.poses.quaternions_wxyz)
    return Figure(frames, performance.poses.positions, turns, coordinates, there.reshape(len(frames), -1, 3))
