"""What a motion asks of the robot, as pages show it: shares of limits over time, findings in sentences, balance."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from animato.character import Character
from animato.findings import (
    BalanceFinding,
    CheckResult,
    balance_sentence,
    check,
    finding_sentence,
    suggestions,
    verdict,
)
from animato.mechanics.limits import LIMIT_KINDS, LimitUsage
from animato.motion import Clip
from animato.studio.watching.rest import lift_of

_COLUMNS = 600
_MOST_TOLD = 40  # findings; who has more has another trouble
_OUTLINES = 200
_MILLIMETRE = 3  # digits


@dataclass(frozen=True, eq=False)
class Usage:
    """A message `usage` without the name of its take.

    Attributes:
        values: Plain values; `arrays` of numbers stand beside them.
        arrays: `shares` [kind, axis, column], 1 is the limit and NaN where there is none; where there is balance to
            keep `zmp_times` [moment] [s], `zmp` [moment, 2] [m] and `zmp_inside` [moment].
    """

    values: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


def usage_of(character: Character, clip: Clip) -> Usage:
    """Checks a clip for pages.

    Args:
        character: Who performs.
        clip: What is performed.

    Raises:
        MotionError: The clip does not belong to the character.
    """
    result = _checked(character, clip)
    usage = result.usage
    values: dict[str, Any] = {
        "kinds": list(LIMIT_KINDS),
        "axes": [{"name": one.name, "label": result.labels[one.name], "joint": one.joint} for one in usage.axes],
        "span": [float(usage.times[0]), float(usage.times[-1])],
        "findings": _findings(result),
        "outcome": {
            "status": str(result.outcome.status),
            "usable": result.outcome.usable,
            "words": result.outcome.reason,
        },
        "suggestions": [],
        "remarks": list(result.notes),
        "balance": None,
    }
    arrays = {"shares": _columns(usage)}
    if result.balance is not None:
        lift = np.zeros(3) if clip.has_base else lift_of(character)  # as the motion is shown
        values["balance"], zmp = _balance(result.balance, lift)
        arrays |= zmp
    return Usage(values, arrays)


@lru_cache(maxsize=1)
def _checked(character: Character, clip: Clip) -> CheckResult:
    """The check of a clip; kept until there is another one, as its words are asked for after its numbers."""
    return check(character, clip, keep_reference_pose=True)


def words_of(character: Character, clip: Clip) -> dict[str, Any]:
    """What takes longer to find about a clip than how much of its limits it uses: at which speed it would fit.

    Args:
        character: Who performs.
        clip: What is performed; that of the last `usage_of`.

    Returns:
        `words`, the whole verdict, and `suggestions`.
    """
    result = _checked(character, clip)
    return {"words": verdict(result), "suggestions": list(suggestions(result))}


def _columns(usage: LimitUsage) -> np.ndarray:
    """The largest share in each of equal spans of time, [kind, axis, column]; NaN where there is no limit."""
    times = usage.times
    stacked = np.stack([usage.shares[kind] for kind in LIMIT_KINDS]).transpose(0, 2, 1)
    count = max(1, min(_COLUMNS, len(times) - 1))
    if len(times) == 0 or stacked.size == 0:
        return np.zeros((*stacked.shape[:2], count))
    edges = np.linspace(times[0], times[-1], count + 1)
    first = np.searchsorted(times, edges[:-1], side="left")
    nearest = np.clip(np.searchsorted(0.5 * (times[1:] + times[:-1]), 0.5 * (edges[:-1] + edges[1:])), 0, None)
    empty = first >= np.append(first[1:], len(times))  # frames far apart leave spans without a sample of their own
    known = np.where(np.isnan(stacked), -np.inf, stacked)
    largest = np.maximum.reduceat(known, np.minimum(first, len(times) - 1), axis=2)
    if empty.any():
        largest[:, :, empty] = known[:, :, nearest[empty]]
    return np.where(np.isneginf(largest), np.nan, largest)


def no_usage(words: str) -> Usage:
    """Where nothing can be checked, and why."""
    outcome = {"status": "unknown", "usable": False, "words": words}
    empty = {"kinds": [], "axes": [], "span": [0.0, 0.0], "findings": [], "suggestions": [], "remarks": []}
    return Usage({**empty, "outcome": outcome, "balance": None}, {"shares": np.zeros((0, 0, 0))})


def _findings(result: CheckResult) -> list[dict[str, Any]]:
    """What is too much, worst first, and what is nearly too much after it."""
    told: list[dict[str, Any]] = []
    if result.balance is not None and result.tips:
        told.append(
            {
                "time": result.balance.time,
                "joint": "",
                "axis": "",
                "kind": "balance",
                "over": True,
                "words": balance_sentence(result.balance),
                "spans": [list(span) for span in result.balance.intervals],
            }
        )
    for one in (*result.findings, *result.near_misses)[:_MOST_TOLD]:
        told.append(
            {
                "time": one.time,
                "joint": one.joint,
                "axis": one.axis,
                "kind": one.kind,
                "over": one.is_over,
                "words": finding_sentence(result, one),
                "spans": [list(span) for span in one.intervals],
            }
        )
    return told


def _balance(finding: BalanceFinding, lift: np.ndarray) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What touches the floor from each time on at which that changes, and the ZMP.

    Args:
        finding: About the balance of a motion.
        lift: From where the check has the character to where it is shown [m], [3].
    """
    balance = finding.balance
    chosen = np.unique(np.linspace(0, len(balance.times) - 1, _COLUMNS).round().astype(int))
    corners, touching = balance.corners.positions[chosen] + lift, balance.support.touching[chosen]
    height = float(corners[touching][:, 2].min()) if touching.any() else 0.0
    arrays = {
        "zmp_times": balance.times[chosen],
        "zmp": np.where(balance.flight[chosen][:, None], np.nan, balance.zmp[chosen] + lift[:2]),
        "zmp_inside": (~balance.lost[chosen]).astype(float),
    }
    values = {
        "words": balance_sentence(finding),
        "over": finding.is_over,
        "height": height,
        "outlines": _outlines(balance.times[chosen], corners[..., :2], touching),
    }
    return values, arrays


def _outlines(times: np.ndarray, corners: np.ndarray, touching: np.ndarray) -> list[list[Any]]:
    """[time, x, y, x, y ...] of the hull of what touches, wherever it is another one."""
    rounded = np.where(touching[..., None], np.round(corners, _MILLIMETRE) + 0.0, np.nan)
    flat = np.nan_to_num(rounded.reshape(len(rounded), -1), nan=1e9)
    changes = np.flatnonzero(np.concatenate([[True], (flat[1:] != flat[:-1]).any(axis=1)]))
    if len(changes) > _OUTLINES:
        changes = changes[np.linspace(0, len(changes) - 1, _OUTLINES).round().astype(int)]
    told = []
    for n in changes.tolist():
        there = rounded[n][touching[n]]
        told.append([round(float(times[n]), 4), *_hull(there.tolist())])
    return told


def _hull(points: list[list[float]]) -> list[float]:
    """Corners of the convex hull one after the other, x and y of each; plain numbers, as there are few and many hulls.

    Args:
        points: [m], x and y of each.
    """
    order = sorted({(x, y) for x, y in points})
    if len(order) < 3:
        return []
    border: list[tuple[float, float]] = []
    for way in (order, order[::-1]):
        kept: list[tuple[float, float]] = []
        for x, y in way:
            while len(kept) > 1 and _left(kept[-2], kept[-1], x, y) <= 0.0:
                kept.pop()
            kept.append((x, y))
        border += kept[:-1]
    return [value for corner in border for value in corner]


def _left(a: tuple[float, float], b: tuple[float, float], x: float, y: float) -> float:
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
