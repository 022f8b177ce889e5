"""The check report for machines: JSON with stable keys. See docs/check.md for the table of keys."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from animato.findings import (
    BalanceFinding,
    CheckResult,
    Coverage,
    Finding,
    balance_sentence,
    checked_sentence,
    finding_sentence,
    si_symbol,
    suggestions,
    verdict,
)
from animato.formats.files import write_whole
from animato.mechanics.limits import LIMIT_KINDS
from animato.version import __version__

FORMAT_VERSION = 1
"""Goes up when a key changes its meaning or goes away; new keys may come without that."""


def check_to_dict(result: CheckResult) -> dict[str, Any]:
    """A check as plain dictionaries, lists, strings and numbers.

    All numbers are SI. There is no NaN and no infinity: what is not known is None.
    """
    return {
        "animato_check": FORMAT_VERSION,
        "animato_version": __version__,
        "character": result.character.name,
        "clip": result.clip_name,
        "clip_source": result.clip.source,
        "duration_s": result.clip.duration,
        "frame_count": result.clip.frame_count,
        "fits": result.outcome.usable,
        "verdict": verdict(result),
        "doubt": result.doubt or None,
        "coverage": None if result.coverage is None else _coverage(result, result.coverage),
        "left_out_frames": {"beginning": result.left_out[0], "end": result.left_out[1]},
        "soles": {
            "guessed": result.sole_guess is not None and bool(result.sole_guess.soles),
            "reason": None if result.sole_guess is None else result.sole_guess.reason,
            "bodies": [sole.body for sole in result.character.soles],
        },
        "playback_speed": _number(result.playback_speed),
        "findings": [
            *(_balance_finding(one) for one in (result.balance,) if one is not None and one.is_over),
            *(_finding(result, finding) for finding in result.findings),
        ],
        "near_misses": [
            *(_balance_finding(one) for one in (result.balance,) if one is not None and one.is_near),
            *(_finding(result, finding) for finding in result.near_misses),
        ],
        "balance": None if result.balance is None else _balance(result.balance),
        "axes": [
            {
                "axis": axis.name,
                "joint": axis.joint,
                "label": result.labels[axis.name],
                "angular": axis.angular,
                "maxima": {
                    kind: _moment(result.maxima[axis.name][kind]) if kind in result.maxima[axis.name] else None
                    for kind in LIMIT_KINDS
                },
            }
            for axis in result.usage.axes
        ],
        "suggestions": list(suggestions(result)),
        "notes": list(result.notes),
    }


def check_json(result: CheckResult) -> str:
    """A check as JSON text; numbers keep all their digits."""
    return json.dumps(check_to_dict(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def save_json(path: str | Path, result: CheckResult) -> Path:
    """Writes the JSON to a file, whole or not at all."""
    return write_whole(path, check_json(result))


def _coverage(result: CheckResult, coverage: Coverage) -> dict[str, Any]:
    return {
        "joint_count": coverage.joint_count,
        "moving": list(coverage.moving),
        "still": list(coverage.still),
        "unnamed": list(coverage.unnamed),
        "axis_count": coverage.axis_count,
        "axes_with_limit": dict(coverage.limited),
        "checked": [*coverage.checked, *(["balance"] if coverage.balance else [])],
        "not_checked": [*coverage.unchecked, *(["balance"] if coverage.carried_by == "root" else [])],
        "carried_by": coverage.carried_by,
        "whole": coverage.is_whole,
        "sentence": checked_sentence(result),
    }


def _finding(result: CheckResult, finding: Finding) -> dict[str, Any]:
    return {
        "axis": finding.axis,
        "joint": finding.joint,
        "kind": finding.kind,
        **_moment(finding),
        "intervals_s": [[start, end] for start, end in finding.intervals],
        "sentence": finding_sentence(result, finding),
    }


def _balance_finding(finding: BalanceFinding) -> dict[str, Any]:
    """Balance with the keys of any finding; it is of no joint."""
    return {
        "axis": None,
        "joint": None,
        "kind": finding.kind,
        "share": _number(finding.share),
        "time_s": finding.time,
        "frame": finding.frame,
        "value": finding.outside,
        "limit": 0.0,
        "unit": "m",
        "intervals_s": [[start, end] for start, end in finding.intervals],
        "sentence": balance_sentence(finding),
    }


def _balance(finding: BalanceFinding) -> dict[str, Any]:
    return {
        "kept": not finding.is_over,
        "outside_m": finding.outside,
        "share": _number(finding.share),
        "time_s": finding.time,
        "frame": finding.frame,
        "direction": finding.direction,
        "falls_at_rest": finding.falls_at_rest,
        "lost_s": finding.time_over,
        "flight_share": float(finding.balance.flight.mean()),
        "hover_share": finding.hover_share,
    }


def _moment(finding: Finding) -> dict[str, Any]:
    return {
        "share": _number(finding.share),
        "time_s": finding.time,
        "frame": finding.frame,
        "value": _number(finding.value),
        "limit": _number(finding.limit),
        "unit": si_symbol(finding.kind, angular=finding.angular).replace("²", "^2").replace("³", "^3"),
    }


def _number(value: float | None) -> float | None:
    """The number, or None where JSON has none for it."""
    return value if value is not None and math.isfinite(value) else None
