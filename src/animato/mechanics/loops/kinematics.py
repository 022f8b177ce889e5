"""Forward kinematics of any graph of joints: Newton with continuation from step to step."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MechanismError, OptionError
from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops.assembly import unit_scales
from animato.mechanics.loops.branching import is_singular_at, nearest_closed, way_out
from animato.mechanics.loops.constraints import (
    Mechanism,
    RowPurpose,
    constraint_jacobians,
    constraint_values,
    factor_constraints,
)
from animato.mechanics.loops.motion import LoopMotion
from animato.mechanics.loops.newton import NewtonSteps, extrapolated, first_order_change, newton

_BLOCK, _LARGEST_BLOCK = 8, 32  # steps that are solved at once from one known state
_SMALLEST = 1.0 / 4096.0  # share of a step below which continuation gives up
_LONGEST_WAY = 0.02  # [rad or m] by which a singular pose is left at once: farther off, other ways may move less
_MOST_PARTS = 200
_RIGHT_AHEAD = 0.01  # [rad or m] within which a step may be a singular pose itself
_JUMP = 0.35  # of a state's change that first order does not explain, above which it counts as a jump


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
    where it jumps, changes the sign of the determinant or does not converge, the step is halved. A rest
    pose that is singular is left on the way that moves the bodies least.

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
    follower = _Follower(mechanism, u, p)
    states = follower.followed(None if start is None else np.asarray(start, dtype=np.float64))
    if follower.stopped is not None and require_reached:
        raise _unreachable(mechanism, u, follower.stopped, follower.why)
    return _motion(mechanism, states, u, p)


class _Follower:
    """Walks along the steps and keeps the last state that is known to be right."""

    def __init__(self, mechanism: Mechanism, controls: np.ndarray, design: np.ndarray) -> None:
        self.mechanism, self.controls = mechanism, controls
        self.designs = np.broadcast_to(design, (len(controls), len(design)))
        self.scale = unit_scales(mechanism)[1]
        self.states = np.full((len(controls), len(mechanism.state)), np.nan)
        self.here_controls = mechanism.controls
        self.stopped: int | None = None
        self.why = ""

    def followed(self, start: np.ndarray | None) -> np.ndarray:
        """All states; NaN from the step on that cannot be reached."""
        first, block = 0, _BLOCK
        if start is not None:
            solved = newton(self.mechanism, start, self.controls, self.designs)
            good = solved.converged & (np.max(np.abs(solved.states - start) / self.scale, axis=1) < _JUMP)
            if good.all():
                return solved.states
            first = int(np.argmin(good))
            self.states[:first] = solved.states[:first]
        here: NewtonSteps | None
        if first:
            here, self.here_controls = solved.at(first - 1), self.controls[first - 1]
        else:
            here = self._rest()
        while first < len(self.controls):
            count = min(block, len(self.controls) - first)
            found = None if first == 0 or here is None else self._block(here, slice(first, first + count))
            if found is not None:
                done, here = found
                block = min(2 * block, _LARGEST_BLOCK) if done == count else max(1, done)
                self.here_controls = self.controls[first + done - 1]
            else:
                crept = None if here is None else self._crept(here, first)
                if crept is not None:
                    here = crept
                elif self._singular_step(first):
                    here = self._known_again(first)
                else:
                    self.stopped = first
                    break
                done, block = 1, max(1, block // 2)
            first += done
        return self.states

    def _rest(self) -> NewtonSteps | None:
        """The rest pose; None where it is singular, as that of a linkage folded flat."""
        m = self.mechanism
        solved = newton(m, m.state[None], m.controls[None], m.design[None])
        return solved if solved.converged[0] and not m.rest_is_singular else None

    def _singular_step(self, step: int) -> bool:
        """Reaches a step from a singular pose, in small parts, each on the way that moves the bodies least."""
        m, p = self.mechanism, self.designs[step]
        state, u = (m.state, m.controls) if step == 0 else (self.states[step - 1], self.controls[step - 1])
        if not np.array_equal(p, m.design) or not is_singular_at(m, state, u, p):
            return False
        change = self.controls[step] - u
        parts = max(1, int(np.ceil(np.max(np.abs(change), initial=0.0) / _LONGEST_WAY)))
        if parts > _MOST_PARTS:
            return False
        for part in range(parts):
            before, after = u + change * part / parts, u + change * (part + 1) / parts
            if np.array_equal(before, after):
                break
            found = way_out(m, state, before, after, p)
            if found is None:
                return False
            state = found
        self.states[step] = state
        return True

    def _known_again(self, step: int) -> NewtonSteps | None:
        """The step as a start for continuation; None where it is singular still."""
        state, u, p = self.states[step], self.controls[step], self.designs[step]
        if is_singular_at(self.mechanism, state, u, p):
            return None
        solved = newton(self.mechanism, state[None], u[None], p[None])
        self.here_controls = u
        return solved if solved.converged[0] else None

    def _block(self, here: NewtonSteps, chosen: slice) -> tuple[int, NewtonSteps] | None:
        """Solves a block of steps from the state before it; how many, from the first on, are right, and the last."""
        before = slice(chosen.start - 1, chosen.stop - 1)
        u, p = self.controls[chosen], self.designs[chosen]
        none = np.zeros_like(p)
        solved = newton(self.mechanism, extrapolated(here, u - self.here_controls, none), u, p)
        self.states[chosen] = solved.states
        good = self._explained(here, solved, self.states[before], u - self.controls[before], none)
        count = len(good) if good.all() else int(np.argmin(good))
        self.states[chosen.start + count : chosen.stop] = np.nan
        return (count, solved.at(count - 1)) if count else None

    def _explained(
        self,
        here: NewtonSteps,
        solved: NewtonSteps,
        before: np.ndarray,
        control_change: np.ndarray,
        design_change: np.ndarray,
    ) -> np.ndarray:
        """Whether each state is what first order, taken at it, says of the way from the one before."""
        moved = solved.states - before
        rest = moved - first_order_change(solved, control_change, design_change)
        size, miss = (np.linalg.norm(part / self.scale, axis=1) for part in (moved, rest))
        same_side = solved.factors.determinant_sign == here.factors.determinant_sign[0]
        with np.errstate(invalid="ignore"):
            return solved.converged & same_side & (miss <= _JUMP * size + 1e-7)

    def _crept(self, here: NewtonSteps, step: int) -> NewtonSteps | None:
        """Reaches one step in ever smaller parts of the way from where it is known."""
        m = self.mechanism
        u0, p0 = self.here_controls, m.design if step == 0 else self.designs[step - 1]
        du, dp = (self.controls[step] - u0)[None], (self.designs[step] - p0)[None]
        done, share = 0.0, 1.0
        while done < 1.0:
            share = min(share, 1.0 - done)
            part_u, part_p = share * du, share * dp
            u, p = u0 + (done + share) * du, p0 + (done + share) * dp
            solved = newton(m, extrapolated(here, part_u, part_p), u, p)
            good = self._explained(here, solved, here.states, part_u, part_p)[0]
            # At the smallest share a change of sign is let through: the motion does pass a singular pose.
            if good or (share < 2.0 * _SMALLEST and solved.converged[0]):
                here, done, share = solved, done + share, 2.0 * share
                self.here_controls = u[0]
                continue
            share /= 2.0
            if share < _SMALLEST:
                if self._stands_in(here, step):
                    return here
                self.why = f" It stops {100.0 * done:.0f} % of the way there from the step before."
                return None
        self.states[step], self.here_controls = here.states[0], self.controls[step]
        return here

    def _stands_in(self, here: NewtonSteps, step: int) -> bool:
        """Whether a step is a singular pose right ahead; its state is kept, and the next goes on from `here`."""
        change = (self.controls[step] - self.here_controls)[None]
        if np.max(np.abs(change), initial=0.0) > _RIGHT_AHEAD:
            return False
        guess = extrapolated(here, change, np.zeros((1, len(self.mechanism.design))))[0]
        state = nearest_closed(self.mechanism, guess, self.controls[step], self.designs[step])
        if state is None or np.max(np.abs(state - here.states[0]) / self.scale) > _JUMP:
            return False
        self.states[step] = state
        return True


def _motion(mechanism: Mechanism, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> LoopMotion:
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
    )


def _unreachable(mechanism: Mechanism, controls: np.ndarray, step: int, why: str) -> MechanismError:
    shown = [f"{name} = {value:.4g}" for name, value in zip(mechanism.control_names, controls[step], strict=True)]
    listed = ", ".join(shown[:6]) + (", ..." if len(shown) > 6 else "")
    return MechanismError(
        f"'{mechanism.name}' cannot follow its controls at step {step} of {len(controls)} ({listed}): its loops do not "
        f"close there, or the way leads through a singular pose.{why} Ask for less travel, or start nearer to it."
    )
