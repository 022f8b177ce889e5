"""A mimicked motion for machines: what the page says, as numbers in SI units."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from animato.formats.files import write_whole
from animato.mechanics.limits import LIMIT_KINDS
from animato.mimic import Solution
from animato.report.mimic.holding import holders
from animato.report.mimic.shown import HELD, RIM, Shown, gather, worst_slide


def mimic_to_dict(shown: Shown) -> dict[str, Any]:
    """The result as plain numbers and words."""
    solution = shown.solution
    problem, usage, slide = solution.problem, solution.usage, worst_slide(shown)
    inside = shown.inside[np.isfinite(shown.inside)]
    return {
        "robot": problem.character.name,
        "capture": problem.person.source,
        "duration_s": float(shown.times[-1] - shown.times[0]),
        "knots": len(shown.times),
        "outcome": {
            "usable": solution.outcome.usable,
            "status": str(solution.outcome.status),
            "reason": solution.outcome.reason,
            "iterations": solution.outcome.iterations,
        },
        "scale": solution.scale,
        "scaled_by_segments": problem.by_segments,
        "slowed_percent": solution.slowed_percent,
        "keypoint_mean_m": float(shown.after.mean()),
        "keypoint_mean_without_balance_m": float(shown.before.mean()),
        "landmarks": [
            {
                "landmark": name,
                "capture": list(problem.person.sources[problem.person.names.index(name)]),
                "body": problem.anatomy.point(name).body,
                "mean_m": float(shown.after[:, n].mean()),
                "largest_m": float(shown.after[:, n].max()),
                "mean_without_balance_m": float(shown.before[:, n].mean()),
            }
            for n, name in enumerate(problem.landmarks)
        ],
        "zmp_inside_m": _finite(float(inside.min())) if len(inside) else None,
        "zmp_outside_frames": int(np.count_nonzero(inside < -RIM)),
        "stance_slide_m": 0.0 if slide is None else slide.metres,
        "flight_frames": int(np.count_nonzero(~np.isfinite(solution.zmp).all(axis=1))),
        "limits": {kind: usage.peak(kind) for kind in LIMIT_KINDS if np.any(np.isfinite(usage.shares[kind]))},
        "held": {name: _finite(float(np.nanmax(shown.held[:, n], initial=0.0))) for n, name in enumerate(HELD)},
        "contacts": [
            {"part": part.name, "planted_share": float(share)}
            for part, share in zip(problem.plan.parts, solution.planted.mean(axis=0), strict=True)
        ],
        "knot_times_s": shown.times.tolist(),
        "capture_times_s": problem.source_times.tolist(),
        "held_by": holders(shown),
        "notes": list(dict.fromkeys((*problem.notes, *solution.notes))),
        "seconds": solution.seconds,
    }


def save_json(path: str | Path, solution: Solution, shown: Shown | None = None) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    content = mimic_to_dict(shown or gather(solution))
    return write_whole(path, json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
