"""What the page of mimic says in sentences: what the robot does of what the person did, and what had to give way."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.findings import percent, rounded, seconds
from animato.mechanics.limits import LIMIT_KINDS
from animato.report.mimic.shown import Shown, Solution

KIND_WORDS = {
    "position": "range",
    "velocity": "speed",
    "acceleration": "acceleration",
    "jerk": "jerk",
    "torque": "torque",
}
_NEAR = 0.9
"""A limit that is used more than this holds the motion."""


def plain(name: str) -> str:
    """A landmark or a joint for people."""
    return name.replace("_", " ")


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
    balance = solution.problem.options.balance
    if not solution.outcome.usable:
        return f"{name} cannot do all of {source}: {solution.outcome.reason}."
    kept = "in balance and inside the limits of its motors" if balance else "inside the limits of its motors"
    return f"{name} does what {source} shows, {kept}; key-points are {off} off in the mean."


def balance_words(shown: Shown) -> str:
    """Where the ZMP is."""
    inside = shown.inside[np.isfinite(shown.inside)]
    flight = int(np.count_nonzero(~np.isfinite(shown.inside)))
    if not len(inside):
        return "It is never on the floor."
    outside = int(np.count_nonzero(inside < -1e-6))
    flying = "" if flight == 0 else f" It is in the air in {flight} of {len(shown.inside)} frames."
    if outside:
        far = millimetres(-float(inside.min()))
        return f"The ZMP leaves the soles in {outside} of {len(inside)} frames, by up to {far}.{flying}"
    return f"The ZMP never comes nearer than {millimetres(float(inside.min()))} to the rim of the soles.{flying}"


def cost_words(shown: Shown) -> str:
    """What balance and torque cost in likeness."""
    before, after = float(shown.before.mean()), float(shown.after.mean())
    if after - before < 5e-5:
        return f"Balance and torque cost nothing: without them key-points are {millimetres(before)} off too."
    return f"Without balance and torque key-points would be {millimetres(before)} off; keeping both costs the rest."


def slowed_words(solution: Solution) -> str:
    """Whether time had to give way."""
    slowed = solution.slowed_percent
    if slowed < 0.05:
        return "It is as fast as the person was."
    return f"It takes {rounded(slowed, 2)} % longer than the person did, where torque or speed did not allow more."


def mimic_text(shown: Shown) -> list[str]:
    """What the command line says."""
    solution = shown.solution
    doubts = [] if solution.outcome.solved or not solution.outcome.usable else [str(solution.outcome)]
    return [
        verdict_words(shown),
        balance_words(shown),
        cost_words(shown),
        slowed_words(solution),
        *doubts,
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


def given_up_sentences(shown: Shown, most: int = 6) -> list[str]:
    """Which key-points balance and torque move, when, and by how much; the worst first."""
    more = shown.after - shown.before
    found = []
    for column in np.argsort(-more.max(axis=0))[:most]:
        at = int(np.argmax(more[:, column]))
        if more[at, column] < 1e-3:
            continue
        found.append(
            f"{plain(shown.solution.problem.landmarks[column])}: {millimetres(shown.after[at, column])} off at "
            f"{seconds(float(shown.times[at]))}, {millimetres(shown.before[at, column])} without balance and torque"
        )
    return found


def held_sentences(shown: Shown) -> list[str]:
    """What holds the motion, and for how long."""
    words = {
        "range": "a joint is at the end of its range",
        "speed": "a motor is nearly as fast as it can be",
        "torque": "a motor gives nearly all its torque",
        "soles": "the ZMP is near the rim of the soles",
        "friction": "a sole is about to slip",
    }
    found = []
    for column, name in enumerate(words):
        share = np.nan_to_num(shown.held[:, column], posinf=9.0)
        count = int(np.count_nonzero(share > _NEAR))
        if count:
            at = shown.times[int(np.argmax(share))]
            found.append(f"{words[name]} in {percent(count / len(share))} of the frames, most at {seconds(float(at))}")
    return found


def facts(shown: Shown) -> list[tuple[str, str]]:
    """At a glance."""
    solution = shown.solution
    duration = float(shown.times[-1] - shown.times[0])
    knots = len(shown.times)
    torque = solution.usage.peak("torque")
    return [
        ("Capture", f"{capture_name(solution)}, {seconds(duration)}"),
        ("Person scaled", rounded(solution.scale, 3)),
        ("Key-points off", millimetres(float(shown.after.mean()))),
        ("Torque", f"{percent(torque)} of its limit"),
        ("Slowed", f"{rounded(solution.slowed_percent, 2)} %"),
        ("Found in", f"{rounded(solution.seconds, 2)} s, {rounded(1e3 * solution.seconds / knots, 2)} ms a frame"),
    ]
