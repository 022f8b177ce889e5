"""A design for machines: JSON with stable keys, all numbers SI."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from animato.design.optimization import Performance, Solution
from animato.formats.files import write_whole
from animato.report.design.words import design_verdict, what_to_watch
from animato.version import __version__

FORMAT_VERSION = 1
"""Goes up when a key changes its meaning or goes away; new keys may come without that."""


def design_to_dict(solution: Solution) -> dict[str, Any]:
    """A solution as plain dictionaries, lists, strings and numbers; what is not known is None."""
    return {
        "animato_design": FORMAT_VERSION,
        "animato_version": __version__,
        "character": solution.problem.character.name,
        "motions": [motion.name for motion in solution.problem.motions],
        "notes": [note for motion in solution.problem.motions for note in motion.notes],
        "optimize": solution.problem.optimize,
        "usable": solution.outcome.usable,
        "met": solution.met,
        "targets": [
            {
                "name": one.name,
                "kind": one.kind,
                "met": one.met,
                "tolerance": one.tolerance,
                "worst": one.worst,
                "step": one.step,
                "share_beyond": one.beyond,
            }
            for one in solution.targets.targets
        ],
        "given_controls": [
            {"control": one.name, "held": one.held, "largest_change": one.change, "step": one.step}
            for one in solution.control_changes
        ],
        "status": str(solution.outcome.status),
        "reason": solution.outcome.reason,
        "iterations": solution.outcome.iterations,
        "seconds": solution.seconds,
        "verdict": design_verdict(solution),
        "watch": what_to_watch(solution),
        "improvement_percent": solution.improvement_percent,
        "objective_improvement_percent": solution.objective_improvement_percent,
        "parameters": [
            {"joint": one.joint, "type": str(one.type), "before": list(one.before), "after": list(one.after)}
            for one in solution.parameters
        ],
        "initial": _performance(solution.initial),
        "optimized": _performance(solution.optimized),
    }


def save_json(path: str | Path, solution: Solution) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    text = json.dumps(design_to_dict(solution), indent=2, ensure_ascii=False, allow_nan=False)
    return write_whole(path, text + "\n")


def _performance(one: Performance) -> dict[str, Any]:
    errors, cm, deg = one.errors, 0.01, math.pi / 180.0
    return {
        "objective": one.objective.total,
        "position_mean_m": cm * errors.position_mean_cm,
        "position_max_m": cm * errors.position_max_cm,
        "orientation_mean_rad": deg * errors.orientation_mean_deg,
        "orientation_max_rad": deg * errors.orientation_max_deg,
        "smallest_singular_value": _number(min(one.singular_values, default=math.nan)),
        "limits": [
            {
                "coordinate": limit.name,
                "kind": limit.kind,
                "lower": _number(limit.lower),
                "upper": _number(limit.upper),
                "least": limit.least,
                "most": limit.most,
                "share": limit.share,
            }
            for limit in one.limit_shares
        ],
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
