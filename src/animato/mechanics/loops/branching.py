"""Singular poses on the way: standing in one, and leaving one on purpose."""

from __future__ import annotations

import numpy as np

from animato.mechanics.loops.assembly import closed_rows, normalized_state, unit_scales
from animato.mechanics.loops.constraints import Mechanism, constraint_jacobians
from animato.mechanics.loops.newton import NewtonSteps, first_order_change

_SINGULAR = 1e-5  # share of the largest singular value below which a motion is unseen
_SMOOTH = 1e-2  # share of a motion by which it may differ from what first order says
_WAYS = 24  # starts that are tried to find the ways out of a singular pose
_CLOSED = 1e-9  # [m or 1]
_WEAK, _ALONG = 1e-3, 0.9  # share of the largest singular value, and of a motion, that tell a dead centre


def nearest_closed(
    mechanism: Mechanism, guess: np.ndarray, controls: np.ndarray, design: np.ndarray
) -> np.ndarray | None:
    """A state near a guess at which all rows hold, also where C_s is singular; None where there is none.

    Args:
        mechanism: Whose rows.
        guess: Shape [state].
        controls: Shape [control].
        design: Shape [design].
    """

    def residuals(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = constraint_jacobians(mechanism, state[None], controls[None], design, rows="kept")
        return found.values[0], found.rows.state.dense(found.state[0])

    if not np.all(np.isfinite(guess)):
        return None
    closing = closed_rows(residuals, guess, tolerance=1e-13)
    return closing.state if closing.residual <= _CLOSED * max(mechanism.length, 1.0) else None


def is_singular_at(mechanism: Mechanism, state: np.ndarray, controls: np.ndarray, design: np.ndarray) -> bool:
    """Whether some motion at a state is seen by no kept row. Arguments as in `nearest_closed`."""
    found = constraint_jacobians(mechanism, state[None], controls[None], design)
    values = np.linalg.svd(found.rows.state.dense(found.state[0]) * unit_scales(mechanism)[1], compute_uv=False)
    return bool(values[-1] < _SINGULAR * values[0])


def way_out(
    mechanism: Mechanism,
    state: np.ndarray,
    controls: np.ndarray,
    target: np.ndarray,
    design: np.ndarray,
    *,
    travel: np.ndarray | None = None,
) -> np.ndarray | None:
    """The state at controls near those of a singular pose, on the way that continues, or that moves the bodies least.

    Several ways lead out of a singular pose: a parallelogram that is folded flat may go on as one or
    cross over. Starts along motions that no row sees find them. Where the mechanism came from somewhere,
    it goes on, or back, on the line on which it came; from rest it goes where the bodies move least, which is
    the same on every machine.

    Args:
        mechanism: Whose rows.
        state: Of the singular pose, shape [state].
        controls: There, shape [control].
        target: Controls to go to, a little away, shape [control].
        design: Shape [design].
        travel: Direction in which the state moved before, shape [state]; none at rest.
    """
    _, by_column = unit_scales(mechanism)
    found = constraint_jacobians(mechanism, state[None], target[None], design)
    jacobian = found.rows.state.dense(found.state[0]) * by_column
    left, values, right = np.linalg.svd(jacobian)
    seen = values > _SINGULAR * values[0]
    ahead = -right[seen].T @ ((left[:, seen].T @ found.values[0]) / values[seen])
    unseen = right[~seen]
    size = max(float(np.linalg.norm(ahead)), float(np.max(np.abs(target - controls), initial=0.0)))
    generator = np.random.default_rng(0)
    best: tuple[float, np.ndarray] | None = None
    for n in range(_WAYS):
        aside = (generator.uniform(-2.0, 2.0, len(unseen)) @ unseen) * size if n else 0.0
        closed = nearest_closed(mechanism, normalized_state(state + (ahead + aside) * by_column), target, design)
        if closed is None:
            continue
        change = (closed - state) / by_column
        moved = float(np.linalg.norm(change))
        effort = moved if travel is None else 2.0 - _alignment(change, travel / by_column)
        if n == 0 and np.linalg.norm(change - ahead) <= _SMOOTH * np.linalg.norm(ahead):
            return closed  # no way moves less: what is singular does not take part
        # Within rounding the first way found stays, so that the answer does not hang on the last digit.
        if best is None or effort < best[0] * (1.0 - 1e-6):
            best = (effort, closed)
    return None if best is None else best[1]


def _alignment(first: np.ndarray, second: np.ndarray) -> float:
    """Of two directions, whichever way they are gone along: 1 where they are one line, 0 where at right angles."""
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return abs(float(first @ second)) / size if size > 0.0 else 0.0


def is_dead_centre(here: NewtonSteps, control_change: np.ndarray, design_change: np.ndarray, scale: np.ndarray) -> bool:
    """Whether what is asked for ahead leads a state almost wholly along the motion that rows see least.

    So it is right before a dead centre, as of a crank in line with its rod: bodies move ever more for ever
    less of the motor, and beyond it only back.

    Args:
        here: One state.
        control_change: Asked for, shape [1, control].
        design_change: Asked for, shape [1, design].
        scale: Of the state, shape [state].
    """
    jacobian = here.jacobians.rows.state.dense(here.jacobians.state[0]) * scale
    _, values, right = np.linalg.svd(jacobian)
    ahead = first_order_change(here, control_change, design_change)[0] / scale
    return bool(values[-1] < _WEAK * values[0] and _alignment(ahead, right[-1]) > _ALONG)
