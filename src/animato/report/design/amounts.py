"""Amounts in words: distances, angles, moments, counts."""

from __future__ import annotations

from animato.design.optimization import Solution
from animato.findings import rounded

_NOTHING = 1e-3  # an error that nobody sees [cm or deg]


def improvement(percent: float) -> str:
    """A percentage whose digits never hide that something is left: "99.97 %"."""
    for digits in (1, 2, 3, 4):
        text = f"{percent:.{digits}f}"
        if float(text) < 100.0 or percent >= 100.0:
            return f"{text} %"
    return "more than 99.9999 %"


def cm(value: float) -> str:
    """A distance of centimetres; small ones as mm, and never finer than a micrometre."""
    if value >= 0.995:
        return f"{rounded(value)} cm"
    return f"{rounded(10.0 * value, 2)} mm" if value >= _NOTHING else "less than 0.01 mm"


def deg(value: float) -> str:
    """An angle of degrees."""
    return f"{rounded(value, 2 if value < 1.0 else 3)} deg" if value >= _NOTHING else "less than 0.001 deg"


def moment(solution: Solution, step: int) -> str:
    """A step as the time in its motion."""
    motion, first = solution.problem.motion_at(step)
    text = f"{(step - first) / motion.rate_hz:.2f} s"
    return text if len(solution.problem.motions) == 1 else f"{text} of {motion.name}"


def many(count: int, noun: str) -> str:
    """A count of things: "1 step", "2 steps"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
