"""Whether a motion may be used, in a word and in a sentence."""

from __future__ import annotations

import numpy as np

from animato.mechanics.tree import packed_tree
from animato.mimic.anatomy import stand_points
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.packing import idle_columns, speed_shares, torque_shares
from animato.mimic.optimization.rows import Misses
from animato.mimic.problem import Problem
from animato.outcome import Outcome, Status

_FITS = 1.0 + 1e-3
_RANGE = 0.01  # [rad or m]
_SOLES = 4e-3  # of the pelvis' height
_BALANCED_M = 2e-3  # of the ZMP, by which forces may miss the wrench that they should give


def judged(
    problem: Problem,
    torques: np.ndarray,
    wrench: np.ndarray,
    controls: ControlPoints,
    misses: Misses,
    *,
    outcome: Outcome,
) -> tuple[Outcome, tuple[str, ...]]:
    """The outcome of a motion, and what should be known of it.

    Args:
        problem: What was asked.
        torques: Of motors, NaN where they were not asked for, [knot, dof].
        wrench: That nothing gives, in metres of the ZMP, [knot].
        controls: Of the motion.
        misses: By how much ranges and soles miss what they should hold.
        outcome: What the solver says.
    """
    notes = []
    faults = []
    if problem.options.balance:
        worst = int(np.argmax(wrench))
        if wrench[worst] > _BALANCED_M:
            faults.append(
                f"at {problem.times[worst]:.2f} s the soles cannot give what it needs, by "
                f"{100.0 * wrench[worst]:.1f} cm of the ZMP"
            )
        shares = torque_shares(problem, torques)
        if problem.options.torque and shares.max(initial=0.0) > _FITS:
            at = problem.times[int(np.argmax(shares))]
            faults.append(f"at {at:.2f} s a motor needs {100.0 * shares.max():.0f} % of its torque")
    speeds = speed_shares(problem, controls)
    if speeds.max(initial=0.0) > _FITS:
        at = problem.times[int(np.argmax(speeds))]
        faults.append(f"at {at:.2f} s a joint needs {100.0 * speeds.max():.0f} % of its speed")
    if misses.range > _RANGE:
        faults.append(f"a joint leaves its range by {misses.range:.3f} (rad or m)")
    size = stand_points(problem.anatomy)["pelvis"][2]
    for what, value in (("is off the floor by", misses.height), ("slides from knot to knot by", misses.slide)):
        if value > _SOLES * size:
            faults.append(f"a sole that should stand {what} {1e3 * value:.1f} mm")
    names = np.array(packed_tree(problem.character).coordinate_names)
    still = names[idle_columns(problem)]
    if len(still):
        notes.append(
            f"These move no key-point; they stay as they are in the stand, and their torque is not asked: "
            f"{', '.join(still[:8])}{', ...' if len(still) > 8 else ''}."
        )
    if problem.slowed_percent > 0.0:
        notes.append(f"It takes {problem.slowed_percent:.1f} % more time than the person, where motors demand it.")
    if faults:
        return Outcome(Status.INFEASIBLE, "; ".join(faults), outcome.iterations), tuple(notes)
    if outcome.solved:
        return outcome, tuple(notes)
    return Outcome(Status.ACCEPTABLE, f"all limits hold; {outcome.reason}", outcome.iterations), tuple(notes)
