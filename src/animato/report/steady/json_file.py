"""A steadied motion for machines: what the page says, as numbers in SI units."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from animato.formats.files import write_whole
from animato.report.steady.evidence import Evidence
from animato.steady import Solution


def steady_to_dict(solution: Solution, evidence: Evidence | None = None) -> dict[str, Any]:
    """The result as plain numbers and words; with what was tried on other models where there is evidence."""
    problem = solution.problem
    before, after = solution.deviations(solution.before), solution.deviations(solution.after)
    found: dict[str, Any] = {
        "character": problem.character.name,
        "clip": problem.clip.source,
        "duration_s": problem.basis.duration,
        "parameters": problem.basis.size,
        "models": [one.variation.name for one in problem.scenarios],
        "outcome": {
            "usable": solution.outcome.usable,
            "status": str(solution.outcome.status),
            "reason": solution.outcome.reason,
            "iterations": solution.outcome.iterations,
        },
        "peak_before_m": solution.peak_before,
        "peak_after_m": solution.peak_after,
        "acceleration_before": solution.peak_acceleration(solution.before.x),
        "acceleration_after": solution.peak_acceleration(solution.after.x),
        "bodies": [
            {
                "body": one.body,
                "peak_before_m": float(before[:, n].max()),
                "peak_after_m": float(after[:, n].max()),
                "rms_before_m": float(np.sqrt(np.mean(before[:, n] ** 2))),
                "rms_after_m": float(np.sqrt(np.mean(after[:, n] ** 2))),
            }
            for n, one in enumerate(problem.tracked)
        ],
        "seconds": solution.seconds,
    }
    if evidence is not None:
        found |= _evidence(evidence)
    return found


def save_json(path: str | Path, solution: Solution, evidence: Evidence | None = None) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    content = json.dumps(steady_to_dict(solution, evidence), indent=2, ensure_ascii=False, allow_nan=False)
    return write_whole(path, content + "\n")


def _evidence(evidence: Evidence) -> dict[str, Any]:
    found: dict[str, Any] = {
        "modes_hz": [_finite(one) for one in evidence.modes.frequencies_hz],
        "stiffness": [
            {"factor": float(factor), "peak_before_m": _finite(before), "peak_after_m": _finite(after)}
            for factor, before, after in zip(
                evidence.sensitivity.factors, evidence.sensitivity.before, evidence.sensitivity.after, strict=True
            )
        ],
        "validated": {
            "peak_before_m": _finite(evidence.validation.peak_before),
            "peak_after_m": _finite(evidence.validation.peak_after),
        },
        "compared": [
            {"name": one.name, "peak_m": _finite(one.peak), "rms_m": _finite(one.rms), "hold_m": _finite(one.hold)}
            for one in evidence.compared
        ],
    }
    return found


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
