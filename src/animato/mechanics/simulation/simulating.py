"""The forward simulation of a character that follows a clip."""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from animato.character import Character
from animato.errors import SimulationError
from animato.mechanics.flexible.reduction import ReducedPart
from animato.mechanics.simulation.integration import Trajectory, integrate, quasi_static
from animato.mechanics.simulation.motor_profile import motor_profile
from animato.mechanics.simulation.options import SimulationOptions
from animato.mechanics.simulation.result import Simulation
from animato.mechanics.simulation.system import System, build_system
from animato.motion import Clip
from animato.outcome import Progress, Status


def simulate(
    character: Character,
    clip: Clip,
    options: SimulationOptions | None = None,
    *,
    parts: Mapping[str, ReducedPart] | None = None,
    system: System | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Simulates a character, rods, loops and all, whose motors follow a clip.

    It starts at rest in the static equilibrium of the first frame. Rigid characters with closed loops are simulated
    the same way.

    Args:
        character: Held in the world.
        clip: Of its motors; passive coordinates in it do not count.
        options: Step, integrator, tracked bodies.
        parts: Reduced parts by the name of their flexible part: a must for meshes, a choice for rods and bars.
        system: The character in minimal coordinates, where it has been built before; options about it do not count
            then.
        progress: Told now and then.

    Raises:
        CharacterError: The character cannot be simulated, or its loops do not close.
        MotionError: The clip starts away from rest, or moves no motor.
        SimulationError: A step did not converge, however short, or motors contradict one another; the message says
            when.
    """
    begin = time.perf_counter()
    chosen = options or SimulationOptions()
    built = system or build_system(
        character,
        tracked=chosen.tracked or end_bodies(character),
        rods=chosen.rods,
        joint_stiffness=chosen.joint_stiffness,
        joint_damping=chosen.joint_damping,
        parts=parts,
    )
    times, motors = motor_profile(built, clip, chosen.step_s, start_speed=chosen.start_speed)
    step = float(times[1])
    run = integrate(built, motors, step, chosen.integration, progress=progress)
    if not run.outcome.usable:
        raise _failure(character, run, step)
    every = max(1, round(1.0 / (chosen.frame_rate_hz * step)))
    frames = np.arange(0, len(times), every)
    target = quasi_static(built, motors[frames, 0], progress=progress)
    return Simulation(character, clip, chosen, run, target, frames, time.perf_counter() - begin)


def end_bodies(character: Character) -> tuple[str, ...]:
    """Bodies from which nothing goes on: no joint or part has them as its parent or first interface."""
    carrying = {joint.parent for joint in character.joints}
    carrying |= {part.interfaces[0].body for part in character.flexible_parts if len(part.interfaces) > 1}
    ends = tuple(body.name for body in character.bodies if body.name not in carrying)
    return ends or (character.bodies[-1].name,)


def _failure(character: Character, run: Trajectory, step: float) -> SimulationError:
    if run.outcome.status is Status.INFEASIBLE:
        return SimulationError(f"'{character.name}' cannot follow the clip: {run.outcome.reason}.")
    when = run.times[-1] + step
    return SimulationError(
        f"The simulation of '{character.name}' stopped at {when:.4f} s: {run.outcome.reason}. Loops may be near a "
        f"singular pose there, or something moves too fast for a step of {1e3 * step:.3g} ms: look at the pose, slow "
        "the clip down, or take a smaller `step_s`."
    )
