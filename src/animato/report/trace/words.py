"""What the page of trace says in sentences: how it went, what was given up, what held it."""

from __future__ import annotations

import numpy as np

from animato.findings import percent, rounded, seconds
from animato.mechanics.limits import SHARE_TOLERANCE, LimitUsage
from animato.trace import Solution
from animato.trace.timing import performed_usage

AT_LIMIT = 0.995
"""A share from which on a limit counts as fully used."""

KIND_WORDS = {"velocity": "speed", "acceleration": "acceleration", "torque": "torque", "position": "range"}
_AS_DRAWN = 0.005  # a tempo within this is that of the drawing
_NOTICED = 0.01  # a clip that takes longer by this share does so to the eye
_CLOSE_MM = 5.0
_ELSEWHERE = 0.1  # of the drawing's size: a mean distance beyond it is no rounding
SAYS_LITTLE = 0.2  # a bound that leaves more open than this proves nothing that helps


def length(metres: float) -> str:
    """A small distance with the unit that suits it."""
    if metres >= 1.0:
        return f"{rounded(metres)} m"
    return f"{rounded(1000.0 * metres, 2)} mm" if metres >= 1e-4 else "less than 0.1 mm"


def within(metres: float) -> str:
    """The same after "within"."""
    return length(max(metres, 1e-4))


def duration(time: float) -> str:
    """A short time with the unit that suits it."""
    return seconds(time) if time >= 1.0 else f"{rounded(1000.0 * time, 2)} ms"


def line_times(solution: Solution) -> tuple[float, float]:
    """How long all lines together took the hand, and take the robot [s]; ways through the air do not count."""
    drawn, scaling, air = solution.problem.drawn, solution.scaling, solution.problem.sketch.air
    if not air:
        return drawn.duration, scaling.duration
    starts = np.array([0.0, *(touch for _, touch in air)])
    ends = np.array([*(leave for leave, _ in air), 1.0])
    by_hand = drawn.at(ends, from_left=True) - drawn.at(starts)
    return float(by_hand.sum()), float((scaling.time_of(ends) - scaling.time_of(starts)).sum())


def tempo_words(solution: Solution) -> str:
    """How long it takes against the drawing, such as "7 % longer than drawn"."""
    drawn, performed = line_times(solution)
    change = performed / drawn - 1.0
    # under the lock no line can be shorter; what seems so is the touch and the leaving of lines
    if abs(change) <= _AS_DRAWN or (change < 0.0 and solution.problem.options.tempo_lock):
        return "at the tempo of the drawing"
    if change > 1.0:
        return f"{rounded(change + 1.0, 2)} times as long as drawn"
    return (
        f"{100.0 * change:.0f} % longer than drawn" if change > 0.0 else f"{-100.0 * change:.0f} % shorter than drawn"
    )


def time_words(solution: Solution) -> str:
    """How long it takes; what is drawn, against the drawing, and what is not, apart."""
    whole, (_, lines) = solution.scaling.duration, line_times(solution)
    if not solution.problem.sketch.air:
        return f"{seconds(whole)}, {tempo_words(solution)}"
    between = f"{duration(whole - lines)} between them"
    return f"{seconds(whole)}: {duration(lines)} for its lines, {tempo_words(solution)}, and {between}"


def better_by(gap: float) -> str:
    """What is proven about the timing, such as "at most 0.1 %"; a bound that says nothing is not printed.

    Args:
        gap: Share of the objective by which a better timing could be better, at most; NaN where nobody asked.
    """
    if np.isnan(gap):
        return "not asked"
    if gap >= SAYS_LITTLE:
        return "not known"
    return f"at most {rounded(max(100.0 * gap, 0.01), 2)} %"


def stalled_words(solution: Solution) -> list[str]:
    """That the timing was not finished, in plain words; nothing where it was, or where worse is to be said."""
    shares = {**solution.scaling.worst_shares, **solution.settled.peaks}
    broken = max(shares.values(), default=0.0) > 1.0 + SHARE_TOLERANCE
    if solution.scaling.outcome.solved or solution.path_fit.out_of_reach or broken:
        return []
    proven = better_by(solution.scaling.gap)
    known = proven.startswith("at most")
    end = f"it could be better by {proven}." if known else "nobody knows how near it is to the best."
    return [f"The search for the best timing came to a stop before its end. All limits hold; {end}"]


def left_out_words(solution: Solution) -> list[str]:
    """Which samples of the drawing were not believed."""
    odd = solution.problem.sketch.left_out
    if not odd:
        return []
    farthest = max(odd, key=lambda one: one.off)
    what = "1 sample leaps" if len(odd) == 1 else f"{len(odd)} samples leap"
    times = ", ".join(seconds(one.time) for one in odd[:5]) + (", ..." if len(odd) > 5 else "")
    return [
        f"{what} out of the line and back, by up to {length(farthest.off)}, at {times} of the recording; no hand does "
        "that, and the robot does not follow. Keep outliers to follow them all the same."
    ]


def verdict_words(solution: Solution, usage: LimitUsage) -> str:
    """The whole result in two sentences."""
    kinds = [kind for kind in KIND_WORDS if np.any(np.isfinite(usage.shares[kind]))]
    peak = max((usage.peak(kind) for kind in kinds), default=0.0)
    name, off = solution.problem.character.name, solution.deviations
    return (
        f"{name} takes {time_words(solution)}, and stays within "
        f"{within(float(off.max()))} of the line ({length(float(off.mean()))} on average). "
        f"The rhythm is off by {duration(solution.timing_error)} on average; "
        f"at most {percent(peak)} of any limit is used."
    )


def trace_text(solution: Solution) -> list[str]:
    """What the command line says: the result, whether it may be used, and what was given up."""
    usage = usage_over_time(solution)
    doubts = [] if solution.outcome.solved or solution.path_fit.notes else stalled_words(solution)
    if not doubts and not solution.outcome.solved and not solution.path_fit.notes:
        doubts = [str(solution.outcome)]
    return [verdict_words(solution, usage), *doubts, *given_up(solution, usage), *remarks(solution)]


def remarks(solution: Solution) -> list[str]:
    """What else a reader should know, and is no loss."""
    return [*pen_words(solution), *clear_words(solution), *clip_words(solution)]


def pen_words(solution: Solution) -> list[str]:
    """How often the pen is lifted."""
    lines = len(solution.pen_down)
    if lines == 1:
        return []
    s = np.linspace(0.0, 1.0, 1001)
    s = s[~solution.problem.sketch.is_down(s)]
    off = np.linalg.norm(solution.points_at(s) - solution.problem.sketch.x_of_s(s), axis=-1)
    said = f"{lines} lines; the pen is lifted between them"
    if 1000.0 * off.max(initial=0.0) > _CLOSE_MM:
        said += f", up to {length(float(off.max()))} off the way through the air that was planned"
    return [f"{said}."]


def clear_words(solution: Solution) -> list[str]:
    """How near bodies come to what they keep clear of, and what is not kept apart; nothing where nobody asked."""
    watch, kept = solution.path_fit.problem.watch, solution.path_fit.kept
    if watch is None:
        return []
    said = []
    if kept is not None and kept.holds and kept.clearance is not None:
        clear = kept.clearance
        near = f"{' and '.join(clear.pair)} come within {length(clear.least)}" if clear.pair else "nothing comes near"
        said.append(f"All stay clear, between frames too: {near}; {length(watch.clearance)} were asked for.")
    if watch.touching:
        pairs = ", ".join(" and ".join(pair) for pair in watch.touching[:4]) + (", ..." if watch.touching[4:] else "")
        said.append(f"Not kept apart, because they overlap where the motion begins: {pairs}.")
    return said


def clip_words(solution: Solution) -> list[str]:
    """That the clip takes longer than the timing, where that can be noticed."""
    longer = solution.clip.duration / solution.scaling.duration - 1.0
    if longer <= _NOTICED:
        return []
    return [
        f"The clip takes {seconds(solution.clip.duration)}, {100.0 * longer:.0f} % longer, so that the curves between "
        "its frames hold the limits, too."
    ]


def usage_over_time(solution: Solution, moments: int = 2000) -> LimitUsage:
    """Shares of limits at evenly spaced moments of the performance."""
    times = np.linspace(0.0, solution.scaling.duration, moments)
    return performed_usage(solution.problem.character, solution.path, solution.scaling, times)


def given_up(solution: Solution, usage: LimitUsage) -> list[str]:
    """What the robot does not do as it was drawn, and why."""
    sketch = solution.problem.sketch
    sentences = [*left_out_words(solution), *sketch.notes, *solution.path_fit.notes]
    far = float(solution.deviations.max())
    size = float(np.ptp(sketch.positions[~sketch.in_air], axis=0).max())
    if solution.path_fit.out_of_reach or solution.path_fit.not_kept:
        pass  # said already
    elif float(solution.deviations.mean()) > _ELSEWHERE * size:
        mean = length(float(solution.deviations.mean()))
        sentences.append(
            f"The drawing is hardly followed: it is {length(size)} large, and the robot is {mean} off on average. "
            "More time, a larger drawing or a smaller alpha bring it nearer."
        )
    elif 1000.0 * far > _CLOSE_MM:
        place = float(solution.places[np.argmax(solution.deviations.max(axis=1))])
        sentences.append(
            f"Corners are rounded: up to {length(far)}, most at {percent(place)} of the path. "
            "A smaller alpha follows closer."
        )
    drawn, performed = line_times(solution)
    change = performed / drawn - 1.0
    if change > _AS_DRAWN and solution.problem.options.duration_s is None:
        sentences.append(
            f"The {'lines take' if sketch.air else 'performance takes'} {duration(performed - drawn)} longer than "
            f"the {seconds(drawn)} of the drawing{_because(usage)}."
        )
    locked = solution.problem.options.tempo_lock
    if change < -_AS_DRAWN and solution.problem.options.duration_s is None and not locked:
        sentences.append(
            f"The {'lines take' if sketch.air else 'performance takes'} {seconds(drawn - performed)} less than the "
            "drawing: gamma asks for haste. Lock the tempo to keep it."
        )
    return sentences


def holding_limits(usage: LimitUsage) -> list[str]:
    """Which limits are fully used, and for how much of the time, the longest first."""
    found = []
    for kind, word in KIND_WORDS.items():
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
