"""The work itself, as processes do it: the robot follows the person, and does so in balance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError
from animato.findings import capitalized, distance, percent
from animato.mimic.contacts import ContactEdit
from animato.mimic.mapping import Mapping
from animato.mimic.optimization import Solution, solve
from animato.mimic.problem import Problem, at_times, build
from animato.outcome import Progress
from animato.studio.capturing.captured import Captured
from animato.studio.capturing.looking import found_anatomy, see
from animato.studio.capturing.reading import load_capture, person_in
from animato.studio.capturing.seen import Followed, Pace, Seen
from animato.studio.capturing.stretches import Stretches, without

_ROUNDING_S = 6e-4
_BESIDE_S = 1e-3  # what is free begins this much after what stands
_EVEN_S = 1e-6
_BEYOND = 1.001
_SLOWED = 0.05  # per cent that are told
_FOLLOWS = "It follows the person with its feet planted, not yet in balance: press Retarget for that."


def followed(character: Character, place: str, captured: Captured, progress: Progress | None = None) -> Followed:
    """The robot after the person, with contacts and ranges of joints, without balance: a tenth of the work.

    Args:
        character: Who.
        place: Of the file.
        captured: How it is read.
        progress: Told of every step.

    Raises:
        AnimatoError: The file cannot be read.
    """
    seen = see(character, place, captured)
    if seen.trouble:
        return Followed(seen, None, (), seen.trouble)
    try:
        problem = problem_of(character, place, captured, seen, preview=True)
        solution = solve(problem, progress=progress)
    except AnimatoError as error:
        return Followed(seen, None, (), str(error))
    return Followed(seen, solution.clip, _pace(solution.problem, captured), _FOLLOWS)


def performed(character: Character, place: str, captured: Captured, progress: Progress | None = None) -> Followed:
    """The robot does what the person did, in balance and inside its limits.

    Raises:
        AnimatoError: It cannot be asked for: no person, no humanoid.
    """
    seen = see(character, place, captured)
    solution = solve(problem_of(character, place, captured, seen, preview=False), progress=progress)
    pace = _pace(solution.problem, captured)
    return Followed(seen, solution.clip, pace, _words(solution), solution.kinematic, solution.outcome.usable)


def problem_of(character: Character, place: str, captured: Captured, seen: Seen, *, preview: bool) -> Problem:
    """What `mimic` is asked for.

    Raises:
        AnimatoError: It cannot be asked for.
    """
    person = person_in(load_capture(place), captured)
    problem = build(
        character,
        person,
        captured.wishes.options(preview=preview),
        mapping=Mapping(weights=tuple(captured.weights.items())),
        anatomy=found_anatomy(character, tuple(captured.robot.items())),
    )
    edits = _edits(problem, captured, seen)
    if not edits:
        return problem
    return at_times(replace(problem, contacts=edits), problem.source_times, problem.step)


def _edits(problem: Problem, captured: Captured, seen: Seen) -> tuple[ContactEdit, ...]:
    """What of contacts was changed, in the robot's time; what people left as it was stays as it was found."""
    known = {part.name for part in problem.plan.parts}
    found: list[ContactEdit] = []
    for part, wanted in captured.contacts.items():
        before = seen.contacts.get(part, ())
        changes = [("free", without(before, wanted)), ("planted", without(wanted, before))]
        for state, stretches in changes if part in known else ():
            found += _edits_of(problem, captured.wishes.speed, part, state, stretches, wanted)
    return tuple(found)


def _edits_of(
    problem: Problem, speed: float, part: str, state: str, stretches: Stretches, wanted: Stretches
) -> list[ContactEdit]:
    ends = {end for _, end in wanted}
    starts = {start for start, _ in wanted}
    found = []
    for start, end in stretches:
        first, last = np.interp(np.array([start, end]) / speed, problem.source_times, problem.times).tolist()
        if state == "free":  # the last moment of a stand belongs to it
            first, last = first + _BESIDE_S * (start in ends), last - _BESIDE_S * (end in starts)
        if np.any((problem.times >= first - _ROUNDING_S) & (problem.times <= last + _ROUNDING_S)) and last >= first:
            found.append(ContactEdit(part, first, last, state))
    return found


def _pace(problem: Problem, captured: Captured) -> Pace:
    """Straight parts have two ends."""
    times, source = problem.times, captured.wishes.speed * problem.source_times
    even = source[0] + (times - times[0]) * (source[-1] - source[0]) / (times[-1] - times[0])
    rows = np.stack([times, source], axis=1)
    rows = rows[[0, -1]] if np.abs(even - source).max() < _EVEN_S else rows
    return tuple((round(float(a), 6), round(float(b), 6)) for a, b in rows)


def _words(solution: Solution) -> str:
    """What came out, as an animator would say it."""
    name, options = solution.problem.character.name, solution.problem.options
    if not solution.outcome.usable:
        return f"{name} cannot do all of it: {solution.outcome.reason}."
    kept = ["in balance"] if options.balance else []
    kept += ["inside what its motors can give"] if options.torque else []
    how = f", {' and '.join(kept)}" if kept else ""
    off = distance(float(solution.errors.mean()), angular=False)
    words = [f"{capitalized(name)} does what the person did{how}, {off} off in the mean."]
    if solution.slowed_percent >= _SLOWED:
        words.append(f"It takes {percent(solution.slowed_percent / 100.0)} longer than the person did.")
    beyond = [kind for kind in ("acceleration", "jerk") if solution.usage.peak(kind) > _BEYOND]
    if beyond:
        words.append(
            f"Limits of {' and '.join(beyond)} are not looked at here and are exceeded: make it performable next."
        )
    return " ".join(words)
