"""A simulation as files: a table for spreadsheets, JSON for machines, a film for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from animato.formats.files import write_whole
from animato.mechanics.simulation import Simulation
from animato.outcome import Progress
from animato.report.bending import Figure, overlaid_film, save_overlaid
from animato.report.kit import Film


def figures(simulation: Simulation) -> tuple[Figure, Figure]:
    """What it would do slowly, and what it does."""
    return (
        Figure("slowly", "target", simulation.target_performance, simulation.target.points),
        Figure("simulated", "after", simulation.performance, simulation.points[simulation.frames]),
    )


def film_of(simulation: Simulation) -> Film:
    """The bending character with its slow motion as a ghost, to be played."""
    frames = simulation.clip.times
    return overlaid_film(simulation.character, figures(simulation), simulation.tracked, frame_times=frames)


def save_film(path: str | Path, simulation: Simulation, *, progress: Progress | None = None) -> Path:
    """Writes a film of the bending character with its slow motion as a ghost, .gif or .mp4."""
    slow, real = figures(simulation)
    return save_overlaid(path, simulation.character, real, slow, progress=progress)


def save_table(path: str | Path, simulation: Simulation) -> Path:
    """Writes a CSV: at every frame places of tracked bodies [m], how far they are off [m], torques, energies [J]."""
    at, energy = simulation.frames, simulation.energy
    known = simulation.times[:: simulation.run.energy_every]
    columns: dict[str, np.ndarray] = {"time_s": simulation.frame_times}
    for n, body in enumerate(simulation.tracked):
        for axis, letter in enumerate("xyz"):
            columns[f"{body}.{letter}_m"] = simulation.points[at, n, axis]
        columns[f"{body}.off_m"] = simulation.deviation[:, n]
    for n, motor in enumerate(simulation.system.motor_names):
        columns[f"{motor}.torque"] = simulation.torques[at, n]
    for name in ("kinetic", "gravitational", "elastic", "work", "dissipated"):
        columns[f"{name}_J"] = np.interp(simulation.frame_times, known, getattr(energy, name))
    rows = np.column_stack(list(columns.values()))
    lines = [",".join(columns), *(",".join(f"{value:.9g}" for value in row) for row in rows)]
    return write_whole(path, "\n".join(lines) + "\n")


def simulation_to_dict(simulation: Simulation) -> dict[str, Any]:
    """The result as plain numbers and words, in SI units."""
    run = simulation.run
    return {
        "character": simulation.character.name,
        "clip": simulation.clip.source,
        "duration_s": float(simulation.times[-1] - simulation.times[0]),
        "step_s": run.step_s,
        "steps": len(run.u) - 1,
        "integrator": str(simulation.options.integrator),
        "unknowns": simulation.system.unknown_count,
        "loop_rows": simulation.system.row_count,
        "peak_deviation_m": simulation.peak_deviation_m,
        "bodies": [
            {"body": body, "peak_m": float(simulation.deviation[:, n].max())}
            for n, body in enumerate(simulation.tracked)
        ],
        "motors": [
            {"motor": motor, "peak_torque": float(np.abs(simulation.torques[:, n]).max())}
            for n, motor in enumerate(simulation.system.motor_names)
        ],
        "energy_drift": simulation.energy.relative_drift,
        "loop_residual_m": simulation.closure_residual_m,
        "halved_steps": run.halved,
        "newton_iterations": run.iterations,
        "realtime_factor": simulation.realtime_factor,
        "seconds": simulation.seconds,
    }


def save_json(path: str | Path, simulation: Simulation) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    content = json.dumps(simulation_to_dict(simulation), indent=2, ensure_ascii=False, allow_nan=False)
    return write_whole(path, content + "\n")
