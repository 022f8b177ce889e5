"""A trace for machines: what the page says, as numbers in SI units."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from animato.formats.files import write_whole
from animato.report.trace.words import SAYS_LITTLE
from animato.trace import Solution


def trace_to_dict(solution: Solution) -> dict[str, Any]:
    """The result as plain numbers and words."""
    problem, scaling, fit = solution.problem, solution.scaling, solution.path_fit
    return {
        "stroke": problem.name,
        "robot": problem.character.name,
        "outcome": {
            "usable": solution.outcome.usable,
            "status": str(solution.outcome.status),
            "reason": solution.outcome.reason,
            "iterations": solution.outcome.iterations,
        },
        "length_m": problem.sketch.length,
        "drawn_s": problem.drawn.duration,
        "duration_s": scaling.duration,
        "clip_s": solution.clip.duration,
        "frames": solution.clip.frame_count,
        "deviation_mean_m": float(solution.deviations.mean()),
        "deviation_max_m": float(solution.deviations.max()),
        "timing_error_s": solution.timing_error,
        "gap": scaling.gap if scaling.gap < SAYS_LITTLE else None,
        "pen_down": [{"s": [one.s_start, one.s_end], "time_s": [one.start, one.end]} for one in solution.pen_down],
        "left_out": [
            {"point": one.point, "time_s": one.time, "place_m": list(one.place), "off_m": one.off}
            for one in problem.sketch.left_out
        ],
        "pauses": [{"s": s, "duration_s": duration} for s, duration in problem.drawn.pauses],
        "notes": list(problem.sketch.notes),
        "limits": {"timing": scaling.worst_shares, "clip": solution.settled.peaks},
        "out_of_reach": [
            {
                "point": one.point,
                "s": [one.s_start, one.s_end],
                "time_s": [one.time_start, one.time_end],
                "distance_m": one.distance,
                "reason": one.reason,
            }
            for one in fit.out_of_reach
        ],
        "seconds": solution.seconds,
    }


def save_json(path: str | Path, solution: Solution) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    return write_whole(path, json.dumps(trace_to_dict(solution), indent=2, ensure_ascii=False, allow_nan=False) + "\n")
