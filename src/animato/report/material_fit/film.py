"""The swing of a part to be played: the record as a ghost over the model, both drawn as the part's slowest mode."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.mechanics.simulation import System, build_system, solve_statics
from animato.mechanics.simulation.posing import perform
from animato.mechanics.simulation.vibration import vibration_modes
from animato.report.bending import Figure, overlaid_film
from animato.report.kit import Film
from animato.steady.materials import MaterialFit

_ALIKE = 1.02  # frequencies of modes that are one: a round rod swings every way alike
_RATE_HZ = 100.0
_UPRIGHT = 0.3  # sine of the angle to the vertical: what swings up and down is seen from every side
_SMALL = 1e-4  # of a mode: small enough for its tip to move straight


def film_of(fit: MaterialFit) -> Film:
    """The film of a fit: where the tip was and where the model has it.

    A record knows the tip alone; how the part bends between is taken from its slowest mode.
    """
    part = next(one for one in fit.character.flexible_parts if one.name == fit.part)
    tip = part.interfaces[-1].body
    system = build_system(fit.character, tracked=(tip,))
    pose, shape = _swing(system, tip, fit.record.direction)
    times = fit.record.times
    shown = np.linspace(times[0], times[-1], max(2, int((times[-1] - times[0]) * _RATE_HZ) + 1))
    figures = []
    for name, kind, values in (("measured", "before", fit.record.values), ("model", "after", fit.simulated)):
        z = pose + np.interp(shown, times, values)[:, None] * shape
        performance = perform(system, shown, z, source=name)
        figures.append(Figure(name, kind, performance, performance.poses.of(tip).position[:, None]))
    film = overlaid_film(fit.character, figures, [tip], frame_times=times)
    aside = np.cross(fit.record.direction, (0.0, 0.0, 1.0))
    return replace(film, seen_from=aside + np.array([0.0, 0.0, 0.25])) if np.linalg.norm(aside) > _UPRIGHT else film


def _swing(system: System, tip: str, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates at rest, and by how much they change for each metre of the tip along a direction, [n] each."""
    held = np.zeros(len(system.motor_names))
    rest = solve_statics(system, held)
    modes = vibration_modes(system, held, rest.u[0], rest.lam[0])
    slowest = modes.frequencies_hz <= _ALIKE * modes.frequencies_hz[0]
    shapes = modes.shapes[slowest]
    moved = perform(system, np.arange(len(shapes) + 1.0), modes.pose + _SMALL * np.vstack([0.0 * shapes[:1], shapes]))
    places = moved.poses.of(tip).position
    ways = (places[1:] - places[0]) / _SMALL
    amounts, *_ = np.linalg.lstsq(ways.T, direction, rcond=None)
    return modes.pose, amounts @ shapes
