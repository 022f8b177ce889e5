"""Walks along the steps of a motion, by first order and Newton, also through singular poses."""

from __future__ import annotations

import numpy as np

from animato.mechanics.loops.assembly import unit_scales
from animato.mechanics.loops.branching import is_dead_centre, is_singular_at, nearest_closed, way_out
from animato.mechanics.loops.constraints import Mechanism
from animato.mechanics.loops.entry import assembled_at, may_enter_elsewhere
from animato.mechanics.loops.newton import NewtonSteps, extrapolated, first_order_change, newton

_BLOCK, _LARGEST_BLOCK = 8, 32  # steps that are solved at once from one known state
_SMALLEST = 1.0 / 4096.0  # share of a step below which continuation gives up
_LONGEST_WAY = 0.02  # [rad or m] by which a singular pose is left at once: farther off, other ways may move less
_MOST_PARTS = 200
_RIGHT_AHEAD = 0.01  # [rad or m] within which a step may be a singular pose itself
_JUMP = 0.35  # of a state's change that first order does not explain, above which it counts as a jump
_STRAIGHT = 0.1  # the same across a singular pose, where other ways branch off
_ROUNDING = 1e-7  # [rad, or typical lengths] by which first order may always be off


class Follower:
    """Walks along the steps and keeps the last state that is known to be right.

    Attributes:
        states: Found so far, shape [step, state].
        crossed: Steps on the way to which a singular pose was passed.
        stopped: The step that cannot be reached; None where all are.
        why: A sentence about it, or nothing.
        entered: Whether the first step was assembled anew, because no way leads to it from rest.
    """

    def __init__(self, mechanism: Mechanism, controls: np.ndarray, design: np.ndarray) -> None:
        self.mechanism, self.controls = mechanism, controls
        self.designs = np.broadcast_to(design, (len(controls), len(design)))
        self.scale = unit_scales(mechanism)[1]
        self.states = np.full((len(controls), len(mechanism.state)), np.nan)
        self.here_controls = mechanism.controls
        self.travel: np.ndarray | None = None
        self.crossed: list[int] = []
        self.stopped: int | None = None
        self.why = ""
        self.entered = False

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
                elif self._singular_step(first) or self._entered(first):
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
        """Reaches a step from a singular pose, in small parts: on the way it came, else where bodies move least."""
        m, p = self.mechanism, self.designs[step]
        state, u = (m.state, m.controls) if step == 0 else (self.states[step - 1], self.controls[step - 1])
        if not np.array_equal(p, m.design) or not is_singular_at(m, state, u, p):
            return False
        change = self.controls[step] - u
        parts = max(1, int(np.ceil(np.max(np.abs(change), initial=0.0) / _LONGEST_WAY)))
        if parts > _MOST_PARTS:
            return False
        travel = self.travel
        for part in range(parts):
            before, after = u + change * part / parts, u + change * (part + 1) / parts
            if np.array_equal(before, after):
                break
            found = way_out(m, state, before, after, p, travel=travel)
            if found is None:
                self.why = " It stands in a singular pose, and no way out of it was found in that direction."
                return False
            travel, state = found - state, found
        self.states[step] = state
        return True

    def _entered(self, step: int) -> bool:
        """Assembles the first step anew where the rest is one that the joints cannot work from."""
        m, u = self.mechanism, self.controls[step]
        if step or not np.array_equal(self.designs[0], m.design) or not may_enter_elsewhere(m, u):
            return False
        state = assembled_at(m, u)
        if state is None:
            return False
        self.states[0], self.entered = state, True
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
        u, p = self.controls[chosen], self.designs[chosen]
        none = np.zeros_like(p)
        solved = newton(self.mechanism, extrapolated(here, u - self.here_controls, none), u, p)
        change = np.diff(u, axis=0, prepend=self.here_controls[None])
        same_side = solved.factors.determinant_sign == here.factors.determinant_sign[0]
        good = solved.converged & same_side & (self._bend(here, solved, change, none) <= _JUMP)
        count = len(good) if good.all() else int(np.argmin(good))
        self.states[chosen.start : chosen.start + count] = solved.states[:count]
        return (count, solved.at(count - 1)) if count else None

    def _bend(self, here: NewtonSteps, solved: NewtonSteps, change: np.ndarray, design: np.ndarray) -> np.ndarray:
        """Share of the way to each state that first order does not explain, at its start or at its end, [step].

        Both ends are asked: beyond a singular pose, the way from it along a branch that crosses the one it
        came on looks straight from its far end alone.

        Args:
            here: Known state before the first.
            solved: States one after another.
            change: Of controls from state to state, shape [step, control].
            design: The same of the design, shape [step, design].
        """
        moved = np.diff(solved.states, axis=0, prepend=here.states)
        at_end = first_order_change(solved, change, design)
        at_start = extrapolated(here, change[:1], design[:1]) - here.states
        if len(moved) > 1:
            onward = (np.vstack([part[1:], np.zeros((1, part.shape[1]))]) for part in (change, design))
            at_start = np.vstack([at_start, first_order_change(solved, *onward)[:-1]])
        size, *misses = (
            np.linalg.norm(part / self.scale, axis=1) for part in (moved, moved - at_end, moved - at_start)
        )
        with np.errstate(invalid="ignore"):
            bend = np.maximum(*misses) - _ROUNDING
            return np.where(bend <= 0.0, 0.0, bend / np.maximum(size, 1e-300))

    def _crept(self, here: NewtonSteps, step: int) -> NewtonSteps | None:
        """Reaches one step in ever smaller parts of the way from where it is known."""
        m, first = self.mechanism, here
        u0, p0 = self.here_controls, m.design if step == 0 else self.designs[step - 1]
        du, dp = (self.controls[step] - u0)[None], (self.designs[step] - p0)[None]
        done, share, crossed = 0.0, 1.0, False
        while done < 1.0:
            share = min(share, 1.0 - done)
            part_u, part_p = share * du, share * dp
            u, p = u0 + (done + share) * du, p0 + (done + share) * dp
            solved = newton(m, extrapolated(here, part_u, part_p), u, p)
            # A change of sign is a singular pose in between: it is passed where the way goes straight on.
            crosses = bool(solved.factors.determinant_sign[0] != here.factors.determinant_sign[0])
            bend = float(self._bend(here, solved, part_u, part_p)[0])
            if solved.converged[0] and bend <= (_STRAIGHT if crosses else _JUMP):
                self.travel = (solved.states - here.states)[0]
                here, done, share = solved, done + share, 2.0 * share
                crossed |= crosses
                continue
            share /= 2.0
            if share < _SMALLEST:
                if self._stands_in(here, u0 + done * du[0], step):
                    return first  # from right beside a singular pose nothing can be told any more
                centre = is_dead_centre(here, du, dp, self.scale)
                why = " at a dead centre, beyond which its bodies can only go back," if centre else ""
                origin = "from the step before" if step else "from rest"
                self.why = f" It stops{why} {100.0 * done:.2g} % of the way there {origin}."
                return None
        if crossed:
            self.crossed.append(step)
        self.states[step], self.here_controls = here.states[0], self.controls[step]
        return here

    def _stands_in(self, near: NewtonSteps, controls: np.ndarray, step: int) -> bool:
        """Whether a step is a singular pose right ahead; its state is kept, and the next goes on from before it."""
        change = (self.controls[step] - controls)[None]
        if np.max(np.abs(change), initial=0.0) > _RIGHT_AHEAD:
            return False
        guess = extrapolated(near, change, np.zeros((1, len(self.mechanism.design))))[0]
        state = nearest_closed(self.mechanism, guess, self.controls[step], self.designs[step])
        if state is None or np.max(np.abs(state - near.states[0]) / self.scale) > _JUMP:
            return False
        self.states[step] = state
        return True
