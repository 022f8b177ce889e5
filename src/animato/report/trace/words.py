"""What the page of trace says in sentences: how it went, what was given up, what held it."""

from __future__ import annotations

import numpy as np

from animato.findings import percent, rounded, seconds
from animato.mechanics.limits import LimitUsage
from animato.trace import Traced
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


def tempo_words(traced: Traced) -> str:
    """How long it takes against the drawing, such as "7 % longer than drawn"."""
    change = traced.tempo - 1.0
    if abs(change) <= _AS_DRAWN:
        return "at the tempo of the drawing"
    if change > 1.0:
        return f"{rounded(traced.tempo, 2)} times as long as drawn"
    return (
        f"{100.0 * change:.0f} % longer than drawn" if change > 0.0 else f"{-100.0 * change:.0f} % shorter than drawn"
    )


def verdict_words(traced: Traced, usage: LimitUsage) -> str:
    """The whole result in two sentences."""
    kinds = [kind for kind in _KINDS if np.any(np.isfinite(usage.shares[kind]))]
    peak = max((usage.peak(kind) for kind in kinds), default=0.0)
    name = traced.character.name
    return (
        f"{name} takes {seconds(traced.scaling.duration)}, {tempo_words(traced)}, and stays within "
        f"{length(float(traced.deviations.max()))} of the line ({length(float(traced.deviations.mean()))} on average). "
        f"The rhythm is off by {duration(traced.timing_error)} on average; "
        f"at most {percent(peak)} of any limit is used."
    )


def trace_text(traced: Traced) -> list[str]:
    """What the command line says: the result, and what was given up."""
    usage = usage_over_time(traced)
    return [verdict_words(traced, usage), *given_up(traced, usage)]


def usage_over_time(traced: Traced, moments: int = 2000) -> LimitUsage:
    """Shares of limits at evenly spaced moments of the performance."""
    times = np.linspace(0.0, traced.scaling.duration, moments)
    return performed_usage(traced.character, traced.path, traced.scaling, times)


def given_up(traced: Traced, usage: LimitUsage) -> list[str]:
    """What the robot does not do as it was drawn, and why."""
    sentences = list(traced.path_fit.notes)
    far = float(traced.deviations.max())
    if not traced.path_fit.out_of_reach and 1000.0 * far > _CLOSE_MM:
        place = float(np.argmax(traced.deviations.max(axis=1)) / (len(traced.deviations) - 1))
        sentences.append(
            f"Corners are rounded: up to {length(far)}, most at {percent(place)} of the path. "
            "A smaller alpha follows closer."
        )
    change = traced.tempo - 1.0
    if change > _AS_DRAWN and traced.options.duration_s is None:
        sentences.append(
            f"The performance takes {duration(traced.scaling.duration - traced.drawn_duration)} longer than "
            f"the {seconds(traced.drawn_duration)} of the drawing{_because(usage)}."
        )
    if change < -_AS_DRAWN and traced.options.duration_s is None:
        sentences.append(
            f"The performance is {seconds(traced.drawn_duration - traced.scaling.duration)} shorter than the drawing: "
            "gamma asks for haste. Lock the tempo to keep it."
        )
    if not traced.scaling.outcome.solved:
        sentences.append(f"The timing is not proven to be the best: {traced.scaling.outcome.reason}")
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
