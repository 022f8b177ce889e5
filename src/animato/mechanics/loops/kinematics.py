"""Forward kinematics of any graph of joints: Newton with continuation from step to step."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MechanismError, OptionError
from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops.constraints import (
    Mechanism,
    RowPurpose,
    constraint_jacobians,
    constraint_values,
    factor_constraints,
)
from animato.mechanics.loops.follower import Follower
from animato.mechanics.loops.motion import LoopMotion


@one_blas_thread
def loop_kinematics(
    mechanism: Mechanism,
    controls: ArrayLike,
    design: ArrayLike | None = None,
    *,
    start: ArrayLike | None = None,
    require_reached: bool = True,
) -> LoopMotion:
    """States of all bodies for controls over time.

    From rest to the first step and from step to step the state is predicted to first order and corrected
    by Newton's method, several steps at once. A result counts where it is what the prediction leads to;
    where it jumps or does not converge, the step is halved. Singular poses on the way are passed straight
    on; one that is the rest is left on the way that moves the bodies least. Where the rest is singular or
    outside the limits and no way leads from it to the first step, that step is assembled anew. `notes` of the
    result tells of each.

    Args:
        mechanism: Complete, see `build_mechanism`.
        controls: [rad, m or quaternion parts], shape [step, control]. More actuators than degrees of
            freedom are followed in the least-squares sense.
        design: Of configurable joints, shape [design]; the mechanism's own where not given.
        start: States near the answer, shape [step, state], as from an earlier call with nearby controls;
            steps at which they lead nowhere are continued from the step before.
        require_reached: Whether a step that cannot be reached is an error; otherwise states are NaN from
            there on.

    Raises:
        MechanismError: A step cannot be reached.
    """
    u = np.atleast_2d(np.asarray(controls, dtype=np.float64))
    p = np.asarray(mechanism.design if design is None else design, dtype=np.float64)
    if u.ndim != 2 or u.shape[1] != len(mechanism.control_names) or p.shape != (len(mechanism.design_names),):
        raise OptionError(
            f"'{mechanism.name}' takes controls of the shape [step, {len(mechanism.control_names)}] and "
            f"{len(mechanism.design_names)} design parameters, not {u.shape} and {p.shape}."
        )
    if not (np.all(np.isfinite(u)) and np.all(np.isfinite(p))):
        raise OptionError(f"The controls and design parameters of '{mechanism.name}' must be finite numbers.")
    follower = Follower(mechanism, u, p)
    states = follower.followed(None if start is None else np.asarray(start, dtype=np.float64))
    if follower.stopped is not None and require_reached:
        raise MechanismError(_stop_words(mechanism, follower))
    return _motion(mechanism, states, u, p, follower)


def _motion(
    mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray, follower: Follower
) -> LoopMotion:
    """Everything that is reported about states."""
    reached = np.all(np.isfinite(states), axis=1)
    count = len(states)
    designs = np.broadcast_to(design, (count, len(design)))
    s, u, p = states[reached], controls[reached], designs[reached]
    purposes = np.array([row.purpose for row in mechanism.rows])
    dropped = np.zeros(len(purposes), dtype=bool)
    dropped[mechanism.dropped] = True
    actuator = purposes == RowPurpose.ACTUATOR
    values = np.abs(constraint_values(mechanism, s, u, p, rows="all"))
    branch = constraint_values(mechanism, s, u, p, rows="branch")
    sign = factor_constraints(mechanism, constraint_jacobians(mechanism, s, u, p).state).determinant_sign
    back = branch < 0.0
    names = dict.fromkeys(mechanism.branches[n].owner for n in np.flatnonzero(back.any(axis=0)))

    def whole(numbers: np.ndarray) -> np.ndarray:
        full = np.full(count, np.nan)
        full[reached] = numbers
        return full

    return LoopMotion(
        mechanism,
        states,
        controls,
        design,
        reached,
        whole(np.max(values[:, ~dropped & ~actuator], axis=1, initial=0.0)),
        whole(np.max(values[:, dropped & ~actuator], axis=1, initial=0.0)),
        whole(np.max(values[:, actuator], axis=1, initial=0.0)),
        whole(sign),
        whole(np.max(back, axis=1, initial=False)) == 1.0,
        tuple(names),
        tuple(follower.crossed),
        follower.entered,
        _notes(mechanism, follower),
    )


def _notes(mechanism: Mechanism, follower: Follower) -> tuple[str, ...]:
    """What should be said about how states were found."""
    found = []
    if follower.entered:
        found.append(
            f"No way leads '{mechanism.name}' from its rest, which is singular or outside its limits, to the first "
            f"step; it was put together there, its passive joints as near to their rest and limits as was found."
        )
    if follower.crossed:
        steps = ", ".join(map(str, follower.crossed[:6])) + (", ..." if len(follower.crossed) > 6 else "")
        found.append(
            f"'{mechanism.name}' passes a singular pose on the way to step {steps} and goes straight on; a real one "
            f"may turn into another motion there, and its motors cannot hold it."
        )
    if follower.stopped is not None:
        found.append(_stop_words(mechanism, follower))
    return tuple(found)


def _stop_words(mechanism: Mechanism, follower: Follower) -> str:
    """Why a step was not reached, and what to do."""
    step = follower.stopped or 0
    values = zip(mechanism.control_names, follower.controls[step], strict=True)
    shown = [f"{name} = {value:.4g}" for name, value in values]
    listed = ", ".join(shown[:6]) + (", ..." if len(shown) > 6 else "")
    return (
        f"'{mechanism.name}' cannot follow its controls at step {step} of {len(follower.controls)} ({listed}): its "
        f"loops do not close there, or the way leads through a singular pose.{follower.why} Ask for less travel, or "
        f"start nearer to it."
    )
