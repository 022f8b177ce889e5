"""A fitted material in words, and for machines."""

from __future__ import annotations

import json
import math
from pathlib import Path

from animato.formats.files import write_whole
from animato.steady.materials import FittedValue, MaterialFit


def with_unit(value: FittedValue, unit: float, name: str) -> str:
    """A number with its error in a unit that people use."""
    shown = f"{value.value / unit:.4g}"
    return f"{shown} ± {value.error / unit:.2g} {name}" if math.isfinite(value.error) else f"{shown} {name}"


def fit_text(fit: MaterialFit) -> list[str]:
    """What was found, in sentences."""
    damping = f"stiffness damping {with_unit(fit.stiffness_damping, 1e-6, 'µs')}"
    if math.isfinite(fit.mass_damping.error):
        damping += f", mass damping {with_unit(fit.mass_damping, 1.0, '1/s')}"
    sentences = [
        f"Young's modulus of {fit.part} is {with_unit(fit.youngs_modulus, 1e9, 'GPa')}; {damping}.",
        f"The model is {1000.0 * fit.rms_m:.3g} mm (RMS) off a swing of {1000.0 * fit.record.values[0]:.3g} mm.",
    ]
    if not fit.outcome.usable:
        sentences.append(f"It is not settled: {fit.outcome.reason}.")
    return [*sentences, *fit.notes]


def save_json(path: str | Path, fit: MaterialFit) -> None:
    """Writes the numbers in SI units, whole or not at all."""
    numbers = {
        name: {"value": value.value, "error": value.error if math.isfinite(value.error) else None}
        for name, value in (
            ("youngs_modulus", fit.youngs_modulus),
            ("mass_damping", fit.mass_damping),
            ("stiffness_damping", fit.stiffness_damping),
        )
    }
    told = {
        "part": fit.part,
        **numbers,
        "damping_ratio": fit.damping_ratio,
        "frequency_hz": fit.record.frequency_hz,
        "rms_m": fit.rms_m,
        "outcome": str(fit.outcome.status),
        "notes": list(fit.notes),
    }
    write_whole(path, json.dumps(told, indent=2) + "\n")
