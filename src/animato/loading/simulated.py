"""Simulation of characters and clips that are named."""

from __future__ import annotations

from pathlib import Path

from animato.character import Character
from animato.loading.characters import as_character
from animato.loading.clips import as_clip
from animato.mechanics.simulation import Simulation, SimulationOptions
from animato.mechanics.simulation import simulate as simulate_clip
from animato.motion import Clip
from animato.outcome import Progress


def simulate(
    character: Character | str | Path,
    clip: Clip | str | Path,
    options: SimulationOptions | None = None,
    *,
    progress: Progress | None = None,
) -> Simulation:
    """Simulates a character, rods, printed parts, loops and all, whose motors follow a clip.

    It starts at rest in the static equilibrium of the first frame.

    Args:
        character: Held in the world; or the name or file of one.
        clip: Of its motors; or the name or file of one.
        options: Step, integrator, tracked bodies.
        progress: Told now and then.

    Raises:
        CharacterError: The character cannot be simulated, or its loops do not close.
        MotionError: The clip starts away from rest, or moves no motor.
        SimulationError: A step did not converge, however short; the message says when.
    """
    model = as_character(character)
    return simulate_clip(model, as_clip(clip, model), options, progress=progress)
