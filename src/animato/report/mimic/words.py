"""What the page of mimic says in sentences: what the robot does of what the person did, and what had to give way."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.findings import capitalized, percent, rounded, seconds
from animato.mechanics.limits import LIMIT_KINDS
from animato.mimic import Solution
from animato.report.mimic.shown import HELD, HELD_KINDS, RIM, Shown, near_shares, plain, worst_slide

KIND_WORDS = {
    "position": "range",
    "velocity": "speed",
    "acceleration": "acceleration",
    "jerk": "jerk",
    "torque": "torque",
}
_ASKED = ("position", "velocity", "torque")
_STILL = 1e-3  # of a stance [m]: less cannot be seen
_OVER = 1.0 + 1e-3  # what is less is rounding


def millimetres(metres: float) -> str:
    """A distance as key-points are told."""
    return f"{rounded(1e3 * metres, 3)} mm" if metres < 0.1 else f"{rounded(1e2 * metres, 3)} cm"


def capture_name(solution: Solution) -> str:
    """What the person's motion is called."""
    return Path((solution.problem.person.source or "the capture").split(" (")[0]).stem


def verdict_words(shown: Shown) -> str:
    """The whole result in one sentence that an animator understands."""
    solution = shown.solution
    name, source = solution.problem.character.name, capture_name(solution)
    off = millimetres(float(shown.after.mean()))
    if not solution.outcome.usable:
        return f"{name} cannot do all of {source}: {solution.outcome.reason}."
    return f"{name} does what {source} shows, {kept_words(solution)}; key-points are {off} off in the mean."


def kept_words(solution: Solution) -> str:
    """What was asked for besides likeness."""
    options = solution.problem.options
    if not options.balance:
        return "with balance and torque left out"
    motors = "range, speed and torque of its motors" if options.torque else "range and speed of its motors"
    return f"in balance and inside the {motors}"


def beyond_words(solution: Solution) -> list[str]:
    """Limits that the character has and the motion breaks: acceleration, which is not asked for, or what was missed."""
    usage, found = solution.usage, []
    for kind in LIMIT_KINDS:
        shares = np.nan_to_num(usage.shares[kind])
        if shares.max(initial=0.0) <= _OVER:
            continue
        at, axis = np.unravel_index(int(np.argmax(shares)), shares.shape)
        asked = "" if kind in _ASKED else f" Limits of {KIND_WORDS[kind]} are not asked for."
        found.append(
            f"{capitalized(plain(usage.axes[axis].name))} uses {percent(float(shares[at, axis]))} of its "
            f"{KIND_WORDS[kind]} at {seconds(float(usage.times[at]))}.{asked}"
        )
    return found


def balance_words(shown: Shown) -> str:
    """Where the ZMP is."""
    inside = shown.inside[np.isfinite(shown.inside)]
    flight = int(np.count_nonzero(~np.isfinite(shown.solution.zmp).all(axis=1)))
    nowhere = len(shown.inside) - len(inside) - flight
    if not len(inside):
        return "It is never on the floor."
    if nowhere:
        return f"In {nowhere} of {len(shown.inside)} frames nothing is planned to stand, and yet it does not fall."
    outside = int(np.count_nonzero(inside < -RIM))
    flying = "" if flight == 0 else f" It is in the air in {flight} of {len(shown.inside)} frames."
    if outside:
        far = millimetres(-float(inside.min()))
        return f"The ZMP leaves the soles in {outside} of {len(inside)} frames, by up to {far}.{flying}"
    room = float(inside.min())
    if room < RIM:
        return f"The ZMP reaches the rim of the soles and never leaves them.{flying}"
    return f"The ZMP never comes nearer than {millimetres(room)} to the rim of the soles.{flying}"


def feet_words(shown: Shown) -> str:
    """Whether what stands stays where it is."""
    slide = worst_slide(shown)
    if slide is None:
        return "Nothing ever stands."
    far = millimetres(slide.metres)
    if slide.metres < _STILL:
        return f"What stands stays where it is, to {far}."
    return f"The {slide.part} slides by {far} while it stands, {seconds(slide.start_s)} to {seconds(slide.end_s)}."


def cost_words(shown: Shown) -> str:
    """What balance and torque cost in likeness."""
    if not shown.solution.problem.options.balance:
        return "Balance and torque were not asked for, so likeness cost nothing."
    before, after = float(shown.before.mean()), float(shown.after.mean())
    if after - before < 5e-5:
        return f"Balance and torque cost nothing: without them key-points are no nearer, {millimetres(before)} off."
    return f"Without balance and torque key-points would be {millimetres(before)} off; keeping both costs the rest."


def slowed_words(solution: Solution) -> str:
    """Whether time had to give way."""
    slowed = solution.slowed_percent
    if slowed < 0.05:
        return "It is as fast as the person was."
    return f"It takes {rounded(slowed, 2)} % longer than the person did, where torque or speed did not allow more."


def doubt_words(solution: Solution) -> list[str]:
    """That a usable motion could be better."""
    if solution.outcome.solved or not solution.outcome.usable:
        return []
    *_, why = solution.outcome.reason.split("; ")
    return [f"The search was cut short, so that likeness may be gained yet: {why}."]


def mimic_text(shown: Shown) -> list[str]:
    """What the command line says."""
    solution = shown.solution
    return [
        verdict_words(shown),
        balance_words(shown),
        feet_words(shown),
        cost_words(shown),
        slowed_words(solution),
        *beyond_words(solution),
        *doubt_words(solution),
        *limit_sentences(solution),
    ]


def limit_sentences(solution: Solution) -> list[str]:
    """How much of each kind of limit is used at the most, and by which joint."""
    usage, found = solution.usage, []
    for kind in LIMIT_KINDS:
        shares = np.nan_to_num(usage.shares[kind])
        if not np.any(np.isfinite(usage.shares[kind])):
            continue
        axis = int(np.argmax(shares.max(axis=0)))
        found.append(f"{KIND_WORDS[kind]}: at most {percent(usage.peak(kind))} ({plain(usage.axes[axis].name)})")
    return found


def limit_moments(solution: Solution) -> list[tuple[float, str]]:
    """When that is [s], and at which joint, in the order of `limit_sentences`."""
    usage, found = solution.usage, []
    for kind in LIMIT_KINDS:
        if np.any(np.isfinite(usage.shares[kind])):
            shares = np.nan_to_num(usage.shares[kind])
            at, axis = np.unravel_index(int(np.argmax(shares)), shares.shape)
            found.append((float(usage.times[at]), usage.axes[axis].name))
    return found


def given_up_sentences(shown: Shown, most: int = 6) -> list[str]:
    """Which key-points balance and torque move, when, and by how much; the worst first."""
    return [
        f"{plain(shown.solution.problem.landmarks[column])}: {millimetres(shown.after[at, column])} off at "
        f"{seconds(float(shown.times[at]))}, {millimetres(shown.before[at, column])} without balance and torque"
        for at, column in _given_up(shown, most)
    ]


def given_up_moments(shown: Shown, most: int = 6) -> list[tuple[float, str]]:
    """When that is [s], in the order of `given_up_sentences`; no joint is meant."""
    return [(float(shown.times[at]), "") for at, _ in _given_up(shown, most)]


def _given_up(shown: Shown, most: int) -> list[tuple[int, int]]:
    """Knots and key-points at which balance and torque cost most, the worst first."""
    more = shown.after - shown.before
    worst = [(int(np.argmax(more[:, column])), int(column)) for column in np.argsort(-more.max(axis=0))[:most]]
    return [(at, column) for at, column in worst if more[at, column] >= 1e-3]


_HELD_WORDS = {
    "range": "A joint is at the end of its range",
    "speed": "A motor is nearly as fast as it can be",
    "torque": "A motor gives nearly all its torque",
    "soles": "The ZMP is near the rim of the soles",
    "friction": "A sole is about to slip",
}


def held_sentences(shown: Shown, most: int = 3) -> list[str]:
    """What holds the motion, for how long, and which joints it is."""
    usage, found = shown.solution.usage, []
    for column, (name, least) in enumerate(zip(HELD, near_shares(shown.solution), strict=True)):
        near = np.nan_to_num(shown.held[:, column], posinf=9.0) > least
        if not near.any():
            continue
        who = ""
        if name in HELD_KINDS:
            often = (np.nan_to_num(usage.shares[HELD_KINDS[name]]) > least).mean(axis=0)
            first = [n for n in np.argsort(-often, kind="stable")[:most] if often[n] > 0.0]
            who = ": " + ", ".join(f"{plain(usage.axes[n].name)} ({percent(float(often[n]))})" for n in first)
            who += ", ..." if np.count_nonzero(often) > most else ""
        found.append(f"{_HELD_WORDS[name]} in {percent(float(near.mean()))} of the frames{who}")
    return found


def facts(shown: Shown) -> list[tuple[str, str]]:
    """At a glance."""
    solution = shown.solution
    duration = float(shown.times[-1] - shown.times[0])
    knots = len(shown.times)
    asked = solution.problem.options.balance
    torque = f"{percent(solution.usage.peak('torque'))} of its limit" if asked else "not asked for"
    return [
        ("Capture", f"{capture_name(solution)}, {seconds(duration)}"),
        ("Person scaled", f"{rounded(solution.scale, 3)}{', by segments' if solution.problem.by_segments else ''}"),
        ("Key-points off", millimetres(float(shown.after.mean()))),
        ("Torque", torque),
        ("Slowed", f"{rounded(solution.slowed_percent, 2)} %"),
        ("Found in", f"{rounded(solution.seconds, 2)} s, {rounded(1e3 * solution.seconds / knots, 2)} ms a frame"),
    ]
