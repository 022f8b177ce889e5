"""What the page of trace says in sentences: how it went, what was given up, what held it."""

from __future__ import annotations

import numpy as np

from animato.findings import percent, rounded, seconds
from animato.mechanics.limits import LimitUsage
from animato.trace import Solution
from animato.trace.timing import performed_usage

AT_LIMIT = 0.995
"""A share from which on a limit counts as fully used."""

_KINDS = {"velocity": "speed", "acceleration": "acceleration", "torque": "torque", "position": "range"}
_AS_DRAWN = 0.005  # a tempo within this is that of the drawing
_CLOSE_MM = 5.0


def length(metres: float) -> str:
    """A small distance with the unit that suits it."""
    if metres >= 1.0:
        return f"{rounded(metres)} m"
    return f"{rounded(1000.0 * metres, 2)} mm" if metres >= 1e-4 else "less than 0.1 mm"


def duration(time: float) -> str:
    """A short time with the unit that suits it."""
    return seconds(time) if time >= 1.0 else f"{rounded(1000.0 * time, 2)} ms"


def tempo_words(solution: Solution) -> str:
    """How long it takes against the drawing, such as "7 % longer than drawn"."""
    change = solution.tempo - 1.0
    if abs(change) <= _AS_DRAWN:
        return "at the tempo of the drawing"
    if change > 1.0:
        return f"{rounded(solution.tempo, 2)} times as long as drawn"
    return (
        f"{100.0 * change:.0f} % longer than drawn" if change > 0.0 else f"{-100.0 * change:.0f} % shorter than drawn"
    )


def verdict_words(solution: Solution, usage: LimitUsage) -> str:
    """The whole result in two sentences."""
    kinds = [kind for kind in _KINDS if np.any(np.isfinite(usage.shares[kind]))]
    peak = max((usage.peak(kind) for kind in kinds), default=0.0)
    name, off = solution.problem.character.name, solution.deviations
    return (
        f"{name} takes {seconds(solution.scaling.duration)}, {tempo_words(solution)}, and stays within "
        f"{length(float(off.max()))} of the line ({length(float(off.mean()))} on average). "
        f"The rhythm is off by {duration(solution.timing_error)} on average; "
        f"at most {percent(peak)} of any limit is used."
    )


def trace_text(solution: Solution) -> list[str]:
    """What the command line says: the result, whether it may be used, and what was given up."""
    usage = usage_over_time(solution)
    doubts = [] if solution.outcome.solved or solution.path_fit.notes else [str(solution.outcome)]
    return [verdict_words(solution, usage), *doubts, *given_up(solution, usage)]


def usage_over_time(solution: Solution, moments: int = 2000) -> LimitUsage:
    """Shares of limits at evenly spaced moments of the performance."""
    times = np.linspace(0.0, solution.scaling.duration, moments)
    return performed_usage(solution.problem.character, solution.path, solution.scaling, times)


def given_up(solution: Solution, usage: LimitUsage) -> list[str]:
    """What the robot does not do as it was drawn, and why."""
    sentences = list(solution.path_fit.notes)
    far = float(solution.deviations.max())
    if not solution.path_fit.out_of_reach and 1000.0 * far > _CLOSE_MM:
        place = float(np.argmax(solution.deviations.max(axis=1)) / (len(solution.deviations) - 1))
        sentences.append(
            f"Corners are rounded: up to {length(far)}, most at {percent(place)} of the path. "
            "A smaller alpha follows closer."
        )
    change, drawn = solution.tempo - 1.0, solution.problem.drawn.duration
    if change > _AS_DRAWN and solution.problem.options.duration_s is None:
        sentences.append(
            f"The performance takes {duration(solution.scaling.duration - drawn)} longer than "
            f"the {seconds(drawn)} of the drawing{_because(usage)}."
        )
    if change < -_AS_DRAWN and solution.problem.options.duration_s is None:
        sentences.append(
            f"The performance is {seconds(drawn - solution.scaling.duration)} shorter than the drawing: "
            "gamma asks for haste. Lock the tempo to keep it."
        )
    return sentences


def holding_limits(usage: LimitUsage) -> list[str]:
    """Which limits are fully used, and for how much of the time, the longest first."""
    found = []
    for kind, word in _KINDS.items():
        if kind == "position":
            continue
        share = np.nan_to_num(usage.shares[kind], nan=0.0)
        for index, axis in enumerate(usage.axes):
            part = float(np.mean(share[:, index] >= AT_LIMIT))
            if part > 0.0:
                long = f"for {percent(part)} of the time" if part >= 0.01 else "for a moment"
                found.append((part, f"{axis.name.replace('_', ' ')}: {word} at its limit {long}"))
    return [sentence for _, sentence in sorted(found, key=lambda one: -one[0])]


def _because(usage: LimitUsage) -> str:
    """The limits that cost the time, in half a sentence."""
    held = [sentence.split(" at its limit")[0].replace(":", "'s") for sentence in holding_limits(usage)[:3]]
    return f", because of {_listed(held)}" if held else ", where it starts from rest and comes to rest"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
