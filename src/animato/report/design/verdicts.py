"""Whether a motion is done as nearly as asked, and whether motors keep to what they were given, in sentences."""

from __future__ import annotations

import numpy as np

from animato.design.optimization import Met, Solution, TargetNearness
from animato.formats.files import units_of_joint
from animato.report.design.amounts import cm, deg, many, moment


def target_verdict(solution: Solution) -> str:
    """Whether the motion is done as nearly as asked, in a sentence."""
    if not solution.outcome.usable:
        return f"This design cannot be used. {solution.outcome.reason}"
    missed = solution.targets.missed
    if not missed:
        return f"All targets are met, {_near_enough(solution)}."
    worst = missed[0]
    others = f"; {many(len(missed) - 1, 'other target')} missed too" if len(missed) > 1 else ""
    path = "the path of " if worst.kind == "position" else "the turn of "
    return (
        f"The motion is missed: {path}{worst.name.replace('_', ' ')} by {nearness_amount(worst, worst.worst)} at "
        f"{moment(solution, worst.step)}; near enough would be {nearness_amount(worst, worst.tolerance)}{others}."
    )


def nearness_amount(one: TargetNearness, value: float) -> str:
    """A distance or an angle of a target, in words."""
    return cm(100.0 * value) if one.kind == "position" else deg(float(np.degrees(value)))


def _near_enough(solution: Solution) -> str:
    told = []
    for kind in ("position", "orientation"):
        own = [one for one in solution.targets.targets if one.kind == kind]
        if own:
            told.append(nearness_amount(own[0], max(one.tolerance for one in own)))
    return f"to {' and '.join(told)}" if told else "as nothing counts"


def answer_word(solution: Solution) -> tuple[str, str]:
    """State and answer of the page: "fits", "near" or "over", and two words."""
    if not solution.outcome.usable:
        return "over", "Not usable"
    verdict = solution.targets.verdict
    if verdict is Met.MET:
        return "fits", "Motion met"
    return ("near", "Motion missed") if verdict is Met.MISSED else ("over", "Motion far off")


def control_words(solution: Solution) -> list[str]:
    """Whether motors keep to the controls that were given, in sentences; nothing where none were."""
    changes = solution.control_changes
    if not changes or not solution.problem.controls_free:
        return []
    units = {
        name: unit
        for joint in solution.problem.character.joints
        for name, unit in zip(joint.coordinate_names, units_of_joint(joint), strict=True)
    }

    def told(name: str, value: float) -> str:
        unit = units.get(name, "")
        return deg(float(np.degrees(value))) if unit == "rad" else cm(100.0 * value) if unit == "m" else f"{value:.3g}"

    found = []
    held = [one for one in changes if one.held]
    if held:
        found.append(f"Held exactly as given: {', '.join(one.name.replace('_', ' ') for one in held)}.")
    strayed = [one for one in changes if not one.held and one.change > 1e-9]
    if strayed:
        worst = strayed[0]
        found.append(
            f"Given controls are a start and a pull: {worst.name.replace('_', ' ')} strays from them by up to "
            f"{told(worst.name, worst.change)} at {moment(solution, worst.step)}"
            + (f", {len(strayed) - 1} more motors by less." if len(strayed) > 1 else ".")
        )
    return found
