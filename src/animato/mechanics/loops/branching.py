"""Singular poses on the way: standing in one, and leaving one on purpose."""

from __future__ import annotations

import numpy as np

from animato.mechanics.loops.assembly import closed_rows, normalized_state, unit_scales
from animato.mechanics.loops.constraints import Mechanism, constraint_jacobians

_SINGULAR = 1e-5  # share of the largest singular value below which a motion is unseen
_SMOOTH = 1e-2  # share of a motion by which it may differ from what first order says
_WAYS = 24  # starts that are tried to find the ways out of a singular pose
_CLOSED = 1e-9  # [m or 1]


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
    mechanism: Mechanism, state: np.ndarray, controls: np.ndarray, target: np.ndarray, design: np.ndarray
) -> np.ndarray | None:
    """The state at controls near those of a singular pose, on the way out that moves the bodies least.

    Several ways lead out of a singular pose: a parallelogram that is folded flat may go on as one or
    cross over. Starts along motions that no row sees find them; what moves least goes on most
    smoothly, and is the same on every machine.

    Args:
        mechanism: Whose rows.
        state: Of the singular pose, shape [state].
        controls: There, shape [control].
        target: Controls to go to, a little away, shape [control].
        design: Shape [design].
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
        if n == 0 and np.linalg.norm(change - ahead) <= _SMOOTH * np.linalg.norm(ahead):
            return closed  # no way moves less: what is singular does not take part
        # Within rounding the first way found stays, so that the answer does not hang on the last digit.
        if best is None or moved < best[0] * (1.0 - 1e-6):
            best = (moved, closed)
    return None if best is None else best[1]
