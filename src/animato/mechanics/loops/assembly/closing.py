"""Closes the loops of a mechanism at rest, or says which of them cannot be closed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from animato.character import Joint, JointRole
from animato.character.structure import joint_motion, rest_coordinates, topology_of
from animato.mechanics.loops.assembly.errors import open_loop_error
from animato.mechanics.loops.assembly.placing import Closing, Residuals, close, normalized_state
from animato.mechanics.loops.assembly.reach import out_of_reach
from animato.mechanics.loops.assembly.starts import start_count, start_states
from animato.mechanics.loops.constraints import (
    Mechanism,
    RowKind,
    RowPurpose,
    constraint_curvature,
    constraint_jacobians,
    constraint_values,
    joint_coordinates,
    joint_transforms,
)
from animato.spatial import quaternions

_NEAREST = 4  # starts from which what stays open is measured

CLOSED = 1e-10
"""Largest row [m or 1] at which a loop is closed."""

CLOSED_SINGLE = 2e-6
"""The same for models in single precision, whose numbers contradict one another a little."""


def assembled(draft: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """State and controls of the rest pose with all loops closed.

    First with every actuator at rest. Where that cannot be, actuators give way, and the controls say
    where they ended.

    Raises:
        MechanismError: Loops that do not close.
    """
    start = draft.state
    values = constraint_values(draft, start[None], draft.controls[None], rows="all")[0]
    if np.max(np.abs(values)) <= CLOSED:
        return start, draft.controls
    everything = np.arange(len(draft.rows))
    passive = np.array([n for n, row in enumerate(draft.rows) if row.purpose is not RowPurpose.ACTUATOR])
    for rows, actuators_free in ((everything, False), (passive, True)):
        for guess in start_states(draft, actuators_free=actuators_free):
            state = closed_from(draft, rows, guess, actuators_free=actuators_free)
            if state is not None and not actuators_free:
                return state, draft.controls
            if state is not None:
                return state, joint_coordinates(draft, state[None]).columns(draft.control_names)[0]
    raise _why_open(draft, start)


def closed_from(
    draft: Mechanism, rows: np.ndarray, guess: np.ndarray, *, actuators_free: bool = False
) -> np.ndarray | None:
    """The closed state, shape [state], to which a guess leads, or None where it leads to none.

    Args:
        draft: Whose loops.
        rows: Indices of the rows that should hold.
        guess: Shape [state].
        actuators_free: Whether actuators may stand elsewhere than at rest.
    """
    closing = close(_residuals(draft, rows), guess, tolerance=CLOSED)
    closed = closing.residual <= CLOSED_SINGLE * max(draft.length, 1.0)
    if not closed:
        return None
    here = joint_coordinates(draft, closing.state[None]).columns(draft.control_names)
    # An actuator's row also holds half a turn from where it should be; its partner tells.
    controls = here if actuators_free else draft.controls[None]
    branches = constraint_values(draft, closing.state[None], controls, rows="branch")
    return closing.state if np.all(branches > 0.0) else None


def _residuals(draft: Mechanism, rows: np.ndarray) -> Residuals:
    def residuals(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = constraint_jacobians(draft, state[None], draft.controls[None], rows="all")
        return found.values[0, rows], found.rows.state.dense(found.state[0])[rows]

    return residuals


def _why_open(draft: Mechanism, start: np.ndarray) -> Exception:
    """The error that names what stays open: loops that cannot close alone, else all that do not together."""
    loops = topology_of(draft.character).loop_joints or draft.joints[-1:]
    owners = np.array([row.owner for row in draft.rows])
    passive = np.array([row.purpose is not RowPurpose.ACTUATOR for row in draft.rows])
    names = [joint.name for joint in loops]
    tree = passive & (~np.isin(owners, names) | np.array([row.kind is RowKind.UNIT for row in draft.rows]))
    alone = [gap for joint in loops if (gap := _gap(draft, start, tree, [joint])) is not None]
    starts = start_count(draft)
    if alone:
        gaps = [gap for one in alone for gap in one]
        return open_loop_error(draft.character, gaps, starts, [out_of_reach(draft.character, gap[0]) for gap in gaps])
    together = _gap(draft, start, tree, list(loops)) or []
    return open_loop_error(draft.character, together, starts)


def _gap(
    draft: Mechanism, start: np.ndarray, tree: np.ndarray, loops: list[Joint]
) -> list[tuple[Joint, float, float]] | None:
    """How far these loops stay open while the tree holds; None where they close."""
    owners = np.array([row.owner for row in draft.rows])
    passive = np.array([row.purpose is not RowPurpose.ACTUATOR for row in draft.rows])
    closing_rows = passive & np.isin(owners, [joint.name for joint in loops]) & ~tree
    rows = np.flatnonzero(tree | closing_rows)
    # The first starts tell how near it comes; more of them would take long and only shorten a sentence.
    guesses = islice(start_states(replace(draft, state=start), actuators_free=True), _NEAREST)
    tries = [_closest(draft, rows, tree[rows], guess) for guess in guesses]
    closing = min(tries, key=lambda one: one.residual)
    gaps = [(joint, *_apart(draft, joint, closing.state)) for joint in loops]
    small = CLOSED_SINGLE * max(draft.length, 1.0)
    wide = [gap for gap in gaps if gap[1] > small or gap[2] > small]
    return wide or None


def _closest(draft: Mechanism, rows: np.ndarray, tree: np.ndarray, state: np.ndarray) -> Closing:
    """Closes rows with the tree weighing more and more, so that what cannot be closed shows at the closing joints.

    What stays open is large, so second derivatives count: Newton's method in a trust region.
    """
    from scipy.optimize import minimize  # only a mechanism that fails needs it

    weights = np.zeros(len(draft.rows))
    pattern = draft.row_set("all").curvature
    size = len(state)

    def cost(x: np.ndarray) -> tuple[float, np.ndarray]:
        found = constraint_jacobians(draft, x[None], draft.controls[None], rows="all")
        pulls = weights * found.values[0]
        return 0.5 * float(pulls @ found.values[0]), pulls @ found.rows.state.dense(found.state[0])

    def curvature(x: np.ndarray) -> np.ndarray:
        found = constraint_jacobians(draft, x[None], draft.controls[None], rows="all")
        jacobian = found.rows.state.dense(found.state[0])
        pulls = (weights * found.values[0])[None]
        upper = pattern.dense(constraint_curvature(draft, x[None], draft.controls[None], None, pulls, rows="all")[0])
        bend = upper[:size, :size]
        return jacobian.T @ (weights[:, None] * jacobian) + bend + np.triu(bend, 1).T

    for weight in (1.0, 10.0, 100.0, 1000.0):
        weights[rows] = np.where(tree, weight**2, 1.0)
        state = minimize(cost, state, jac=True, hess=curvature, method="trust-exact", options={"maxiter": 100}).x
    values = constraint_values(draft, state[None], draft.controls[None], rows="all")[0, rows]
    largest = float(np.max(np.abs(values)))
    return Closing(normalized_state(state), largest, largest <= CLOSED)


def _apart(draft: Mechanism, joint: Joint, state: np.ndarray) -> tuple[float, float]:
    """Distance [m] and angle [rad] between the two sides of a joint, beyond what its freedom allows."""
    relative = joint_transforms(draft, joint, state[None])
    index = {name: n for n, name in enumerate(joint_coordinates(draft, state[None]).names)}
    values = joint_coordinates(draft, state[None]).values[0]
    own = [values[index[name]] for name in joint.coordinate_names]
    if joint.role is JointRole.CONFIGURABLE:  # set, not free: what it is off by is a gap
        own = list(rest_coordinates(joint))
    rest = joint_motion(joint, own).inverse() @ relative
    angle = float(quaternions.angle_between(rest.quaternion_wxyz, (1.0, 0.0, 0.0, 0.0)).max())
    return float(np.linalg.norm(rest.position)), angle
