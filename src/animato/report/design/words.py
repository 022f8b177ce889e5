"""What a design says in sentences: how much better it is, what it changed, what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from animato.design.optimization import Solution, TrackingErrors
from animato.findings import rounded
from animato.report.design.amounts import cm, deg, improvement, many, moment
from animato.report.design.verdicts import control_words, nearness_amount, target_verdict

_CHANGED = {"design": "The new design", "control": "The new control", "both": "The new design"}
_AT_LIMIT = 0.995
_NOTHING = 1e-3  # an error that nobody sees [cm or deg]
_NEAR_SINGULAR = 0.2  # of what the initial design keeps


def design_verdict(solution: Solution) -> str:
    """The result in three sentences: whether the motion is done, what was gained, and what is left."""
    return f"{target_verdict(solution)} {gain_words(solution)}"


def gain_words(solution: Solution) -> str:
    """What was gained, in two sentences."""
    who = f"{_CHANGED[solution.problem.optimize]} of {solution.problem.character.name}"
    gain = solution.improvement_percent
    if gain < 0.005:
        head = f"{who} follows the motion no better than the initial one."
    else:
        head = (
            f"With {who[0].lower()}{who[1:]} the targets cost {improvement(gain)} less, errors squared; the whole "
            f"objective, as published figures count, {improvement(solution.objective_improvement_percent)} less."
        )
    return f"{head} {error_words(solution.initial.errors, solution.optimized.errors)}"


def error_words(before: TrackingErrors, after: TrackingErrors) -> str:
    """Errors of places and turns, before and after."""
    parts = []
    if np.isfinite(before.positions).any():
        now, was = (_mean_and_most(one.position_mean_cm, one.position_max_cm, cm) for one in (after, before))
        parts.append(f"Points are off by {now} instead of {was}")
    if np.isfinite(before.orientations).any():
        now, was = (_mean_and_most(one.orientation_mean_deg, one.orientation_max_deg, deg) for one in (after, before))
        parts.append(f"{'turns' if parts else 'Turns are off'} by {now} instead of {was}")
    return ", ".join(parts) + "." if parts else ""


def _mean_and_most(mean: float, most: float, say: Callable[[float], str]) -> str:
    return say(most) if most < _NOTHING else f"{say(mean)} on average (at most {say(most)})"


def what_changed(solution: Solution) -> list[str]:
    """What the optimization did with design and controls."""
    problem, m = solution.problem, solution.problem.mechanism
    found = []
    if problem.design_free:
        count = sum(1 for joint in problem.character.joints if joint.role == "configurable" and joint.coordinate_names)
        found.append(f"{many(count, 'configurable joint')}, {many(len(m.design), 'parameter')}.")
    if problem.controls_free:
        found.append(
            f"Motion of {many(len(m.controls), 'control')} over {many(problem.step_count, 'step')} found anew."
        )
    else:
        found.append(f"Not the controls: {many(len(m.controls), 'motor')} as given.")
    found += control_words(solution)
    tight = [one for one in solution.optimized.limit_shares if one.share >= _AT_LIMIT]
    for one in tight[:5]:
        found.append(f"{one.name.replace('_', ' ')}: its {_KIND[one.kind]} is used to the end.")
    if len(tight) > 5:
        found.append(f"{len(tight) - 5} more limits are used to the end.")
    return found


_KIND = {"position": "range", "velocity": "top speed", "design": "range of settings"}


def what_to_watch(solution: Solution) -> list[str]:
    """What is wrong with the design, or nearly so."""
    motion = solution.optimized.motion
    found = []
    if not solution.outcome.usable:
        found.append(f"Not usable as it is. {solution.outcome.reason}")
    for one in solution.targets.missed[:5] if solution.outcome.usable else ():
        what = "place" if one.kind == "position" else "turn"
        found.append(
            f"{one.name.replace('_', ' ')}: its {what} is missed at {100.0 * one.beyond:.0f} % of the steps, by up to "
            f"{nearness_amount(one, one.worst)} at {moment(solution, one.step)}."
        )
    if solution.outcome.usable and not solution.outcome.solved:
        found.append(f"The search ended early: {solution.outcome.reason}")
    if solution.problem.options.clearance_m > 0.0 and solution.optimized.clearances.skipped:
        absent = ", ".join(solution.optimized.clearances.skipped)
        found.append(f"Clearance does not know the shape of {absent}: meshes are absent or cannot be read.")
    if motion.flipped_joints:
        found.append(f"Flipped by half a turn against how they are built: {', '.join(motion.flipped_joints)}.")
    for limit in solution.optimized.exceeded_limits[:5]:
        found.append(f"{limit.name.replace('_', ' ')}: {100.0 * limit.share:.0f} % of its {_KIND[limit.kind]}.")
    before, after = (one.singular_values for one in (solution.initial, solution.optimized))
    if np.isfinite(after).any() and np.isfinite(before).any():
        low, was = float(np.nanmin(after)), float(np.nanmin(before))
        if low < _NEAR_SINGULAR * was:
            when = moment(solution, int(np.nanargmin(after)))
            found.append(
                f"At {when} the mechanism comes nearer to a singular pose than before: smallest singular value "
                f"{rounded(low, 2)} instead of {rounded(was, 2)}."
            )
    errors, names = solution.optimized.errors, solution.optimized.errors.names
    for table, unit, factor in ((errors.positions, "cm", 100.0), (errors.orientations, "deg", 180.0 / np.pi)):
        if np.isfinite(table).any() and solution.outcome.usable:
            if any(one.kind == ("position" if unit == "cm" else "orientation") for one in solution.targets.missed):
                continue  # said above
            step, column = np.unravel_index(int(np.nanargmax(table)), table.shape)
            if factor * table[step, column] < _NOTHING:
                continue
            worst = cm(factor * table[step, column]) if unit == "cm" else deg(factor * table[step, column])
            found.append(f"Farthest off: {names[column].replace('_', ' ')}, {worst} at {moment(solution, int(step))}.")
    return found


def design_text(solution: Solution) -> list[str]:
    """What the command line says after a solve."""
    took = f"{many(len(solution.history), 'iteration')} in {solution.seconds:.1f} s. {solution.outcome.reason}"
    notes = [note for motion in solution.problem.motions for note in motion.notes]
    return [*notes, design_verdict(solution), *control_words(solution), *what_to_watch(solution), took]
