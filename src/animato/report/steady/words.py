"""What the page of steady says in sentences: how far things were off, how far they are, and what it took."""

from __future__ import annotations

import numpy as np

from animato.findings import percent, rounded, seconds
from animato.report.bending import length
from animato.steady import Solution
from animato.steady.profiles import KINDS

_HELD = {"position": "range", "velocity": "speed", "acceleration": "acceleration", "jerk": "jerk"}


def worst_body(solution: Solution) -> str:
    """The tracked body that the artist's motion throws farthest."""
    return solution.problem.tracked[int(np.argmax(solution.deviations(solution.before).max(axis=0)))].body


def verdict_words(solution: Solution) -> str:
    """The whole result in one sentence that an animator understands."""
    name, body = solution.problem.character.name, worst_body(solution).replace("_", " ")
    before, after = length(solution.peak_before), length(solution.peak_after)
    limits = "inside every motor's limits" if solution.outcome.usable else "but not inside the motors' limits"
    if solution.peak_after >= 0.95 * solution.peak_before:
        return f"The {name}'s {body} is up to {before} off, and no better motion was found ({after})."
    return f"The {name}'s {body} was up to {before} off; now {_whole(solution)} stays within {after}, {limits}."


def _whole(solution: Solution) -> str:
    return "it" if len(solution.problem.tracked) == 1 else "everything"


def cost_words(solution: Solution) -> str:
    """What is asked of the motors for it."""
    before = solution.peak_acceleration(solution.before.x)
    after = solution.peak_acceleration(solution.after.x)
    moved = np.degrees(
        np.abs(solution.problem.theta(solution.after.x)[0] - solution.problem.theta(solution.before.x)[0])
    )
    return (
        f"For that no motor leaves the artist's angle by more than {rounded(float(moved.max()), 2)} deg; accelerations "
        f"reach {rounded(after, 3)} rad/s² where the artist's reach {rounded(before, 3)}."
    )


def steady_text(solution: Solution) -> list[str]:
    """What the command line says."""
    doubts = [] if solution.outcome.solved else [str(solution.outcome)]
    return [verdict_words(solution), cost_words(solution), *doubts, *body_sentences(solution)]


def body_sentences(solution: Solution) -> list[str]:
    """Of each tracked body: how far it was off and how far it is."""
    before, after = solution.deviations(solution.before), solution.deviations(solution.after)
    return [
        f"{one.body.replace('_', ' ')}: {length(float(before[:, n].max()))} off at the most before, "
        f"{length(float(after[:, n].max()))} now ({length(_rms(before[:, n]))} and {length(_rms(after[:, n]))} RMS)"
        for n, one in enumerate(solution.problem.tracked)
    ]


def body_moments(solution: Solution) -> list[tuple[float, str]]:
    """When each tracked body was farthest off [s], in the order of `body_sentences`; no joint is meant."""
    start, problem = solution.problem.basis.start, solution.problem
    worst = np.argmax(solution.deviations(solution.before), axis=0)
    return [(start + float(problem.times[at]), "") for at in worst]


def limit_sentences(solution: Solution) -> list[str]:
    """How much of each kind of limit is used at the most, and by which motor."""
    found = []
    for kind, motor, share in _most_used(solution):
        name = solution.problem.basis.names[motor].replace("_", " ")
        of = "of what the motor gives at that speed" if kind == "torque" else "of what is allowed"
        found.append(f"{_HELD.get(kind, kind)}: at most {percent(share)} {of} ({name})")
    return found


def limit_moments(solution: Solution) -> list[tuple[float, str]]:
    """When that is [s], and the motor, in the order of `limit_sentences`."""
    problem, shares = solution.problem, solution.usage.shares
    found = []
    for kind, motor, _ in _most_used(solution):
        at = int(np.argmax(np.nan_to_num(shares[kind][:, motor])))
        found.append((problem.basis.start + float(problem.times[at]), problem.basis.names[motor]))
    return found


def _most_used(solution: Solution) -> list[tuple[str, int, float]]:
    """Of each kind of limit the motor that uses most of it, and its share."""
    problem, found = solution.problem, []
    limits = problem.limits
    if limits is not None:
        middle, half = 0.5 * (limits.lower + limits.upper), 0.5 * (limits.upper - limits.lower)
        shares = np.abs(limits.matrix @ solution.after.x - middle) / half * (1.0 - problem.options.margin)
        for number, kind in enumerate(KINDS):
            rows = np.flatnonzero(limits.kinds == number)
            if len(rows):
                worst = rows[int(np.argmax(shares[rows]))]
                found.append((kind, int(limits.motors[worst]), float(shares[worst])))
    if problem.torque is not None and solution.after.runs:
        each = np.nan_to_num(solution.usage.shares["torque"]).max(axis=0)
        found.append(("torque", int(np.argmax(each)), float(each.max())))
    return found


def facts(solution: Solution) -> list[tuple[str, str]]:
    """At a glance."""
    problem = solution.problem
    return [
        ("Clip", f"{(problem.clip.source or 'clip').split(':')[0]}, {seconds(problem.basis.duration)}"),
        ("Off before", length(solution.peak_before)),
        ("Off now", length(solution.peak_after)),
        ("Motors", f"{len(problem.basis.names)} with {problem.basis.size} parameters"),
        ("Accelerations", f"{rounded(solution.peak_acceleration(solution.after.x))} rad/s²"),
        ("Found in", f"{rounded(solution.seconds, 2)} s, {len(solution.history)} steps"),
    ]


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))
