"""A fix for machines: what the page says, as numbers in SI units. See docs/fix.md for the table of keys."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from animato.formats.files import write_whole
from animato.report.check import check_to_dict
from animato.report.fix.evidence import Evidence
from animato.report.fix.words import headline
from animato.version import __version__

FORMAT_VERSION = 1
"""Goes up when a key changes its meaning or goes away; new keys may come without that."""


def fix_to_dict(evidence: Evidence) -> dict[str, Any]:
    """A fix as plain dictionaries, lists, strings and numbers; what is not known or infinite is None."""
    solution = evidence.solution
    far, name, when = solution.deviation.largest
    return {
        "animato_fix": FORMAT_VERSION,
        "animato_version": __version__,
        "character": solution.problem.character.name,
        "clip": evidence.before.clip_name,
        "headline": headline(evidence),
        "outcome": {
            "usable": solution.outcome.usable,
            "status": str(solution.outcome.status),
            "reason": solution.outcome.reason,
            "iterations": solution.outcome.iterations,
        },
        "options": asdict(solution.problem.options),
        "changed": solution.changed,
        "duration_s": {"asked": solution.problem.clip.duration, "now": solution.clip.duration},
        "deviation": {
            "mean_m": solution.deviation.mean_m,
            "largest_m": far,
            "point": name or None,
            "time_s": when,
            "points": [
                {"point": point, "mean_m": float(values.mean()), "largest_m": float(values.max())}
                for point, values in zip(solution.deviation.points, solution.deviation.metres.T, strict=True)
            ],
        },
        "changes": [_plain(asdict(one)) for one in (*evidence.points, *evidence.gazes, *evidence.joints)],
        "trades": [_plain(asdict(one)) for one in evidence.trades],
        "obstacles": [_plain(asdict(one)) for one in evidence.obstacles],
        "before": check_to_dict(evidence.before),
        "after": check_to_dict(evidence.after) if evidence.usable else None,
        "gap": solution.gap if math.isfinite(solution.gap) else None,
        "seconds": solution.seconds,
        "notes": list(solution.notes),
    }


def save_json(path: str | Path, evidence: Evidence) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    content = json.dumps(fix_to_dict(evidence), indent=2, ensure_ascii=False, allow_nan=False)
    return write_whole(path, content + "\n")


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in values.items()
    }
