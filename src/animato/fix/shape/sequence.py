"""One stretch of a clip, changed as little as can be seen: a sequence of convex programs.

Range, speed, acceleration and jerk are linear in the control points; points in space and loads are not. So each step
looks at these to first order around the motion as it is, solves the convex program, and goes as far along its answer
as the true objective, with a price on everything beyond a limit, agrees. Where only linear limits and angles of joints
count, the first program is the problem itself, and its gap is a certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import binary_dilation

from animato.fix.shape.assembly_kernels import add_moment_pulls, add_moment_squares, put_wide_rows
from animato.fix.shape.linear_limits import LinearLimits
from animato.fix.shape.mechanics import Mechanics, MomentRows, Motion
from animato.fix.shape.spline_space import SplineSpace, Stencils
from animato.fix.shape.visible import Visible
from animato.outcome import Outcome, Status
from animato.solvers.band_qp import BandProgram, BandQpOptions, BandQpSolution, WideRows, solve_band_qp

_SHORTEST = 1.0 / 64.0
_BROKEN_PROMISE, _KEPT_PROMISE = 0.3, 0.8  # shares of what a program foretold
_FIRST_DAMPING = 0.03  # of the diagonal
_DEARER = 5.0  # price of limits that a program could not keep for the one before
_CHEAPEST, _DEAREST = 0.1, 100.0  # of the first price
_FAR = 0.4  # shares: limits that are exceeded by more do not make more rows
_AROUND = np.ones((17, 1), dtype=bool)  # rows in time around one that was overlooked, which will be next
_ROUNDS = 6  # in which limits that were overlooked become rows
_BOLD = 3  # programs whose answers are taken as they are
_ROUGH, _COARSE, _FINE = 1e-2, 1e-3, 1e-7  # gaps of the first programs, of those on the way, and to the limits
_DEARLY = 1.1  # times the objective: limits that cost more than that to reach make it worth to begin again from there
_SHARP = 1e-6  # of the last one, of a share of the objective


@dataclass(frozen=True, kw_only=True)
class SequenceOptions:
    """How far to go.

    Attributes:
        programs: At most, on the way to the best motion.
        settling: At most, from there to the limits.
        gain: Stop where a program foretells less than this share of the objective.
        feasible: Shares that may be beyond limits.
        slight: Shares beyond limits at which a start counts as solved but for the last steps to the limits.
        near: Shares of room within which a limit takes part in a program; more where limits are exceeded by more.
        price: Of each share beyond a limit, in units of the objective, at first.
        dearer: How much more it costs where that was not enough.
    """

    programs: int = 15
    settling: int = 8
    gain: float = 3e-3
    feasible: float = 1e-7
    slight: float = 0.1
    near: float = 0.3
    price: float = 1.0
    dearer: float = 30.0


@dataclass(frozen=True, eq=False)
class Stretch:
    """What is to be solved.

    Attributes:
        space: Of the curve.
        reference: Control points of the artist's curve, [n, column].
        held: Control points that stay, [n, column].
        limits: That are linear.
        mechanics: Of the character at the frames.
        visible: What counts, at the frames.
        loaded: Of the character at the moments at which its loads are held.
        load_times: These moments [s], [moment].
        ceiling: What rows of moments may use.
    """

    space: SplineSpace
    reference: np.ndarray
    held: np.ndarray
    limits: LinearLimits
    mechanics: Mechanics
    visible: Visible
    loaded: Mechanics
    load_times: np.ndarray
    ceiling: float


@dataclass(frozen=True, eq=False)
class Shaped:
    """What came out.

    Attributes:
        control_points: [n, column].
        cost: The objective [m^2].
        excess: The largest share beyond a limit.
        gap: Of the last program, relative to its objective.
        programs: Solved.
        outcome: How it ended.
    """

    control_points: np.ndarray
    cost: float
    excess: float
    gap: float
    programs: int
    outcome: Outcome


def shape_stretch(
    stretch: Stretch,
    start: np.ndarray | None = None,
    options: SequenceOptions | None = None,
    *,
    solved: bool = False,
    told: Callable[[float], None] | None = None,
) -> Shaped:
    """Solves one stretch.

    Args:
        stretch: What is asked for.
        start: Control points to begin with; the reference where not given.
        options: How far to go.
        solved: Whether the start is the answer to much the same, so that little is left to do.
        told: Told the objective after each program.
    """
    return _Sequence(stretch, options or SequenceOptions(), told).run(start, solved=solved)


@dataclass(frozen=True, eq=False)
class _Point:
    """A motion with what it costs.

    Attributes:
        x: Control points, [n, column].
        motion: At the frames.
        places: Of what is seen [m], [frame, point, 3].
        carrying: The same at the moments of loads.
        loads: Rows of moments less their ceiling, [moment, row].
        cost: The objective.
        crossed: Shares beyond limits, summed.
        excess: The largest of them.
    """

    x: np.ndarray
    motion: Motion
    places: np.ndarray
    carrying: Motion
    loads: np.ndarray
    cost: float
    crossed: float
    excess: float


class _Sequence:
    """One solve."""

    def __init__(self, stretch: Stretch, options: SequenceOptions, told: Callable[[float], None] | None) -> None:
        self.stretch, self.options, self.told = stretch, options, told
        frames = stretch.space.frame_times
        self.stencils = [stretch.space.at(frames, derivative) for derivative in range(3)]
        self.carried = [stretch.space.at(stretch.load_times, derivative) for derivative in range(3)]
        self.price, self.damping = options.price, 0.0
        self.felt = np.zeros((len(stretch.load_times), len(stretch.loaded.row_names)), dtype=bool)
        self.seen = {kind: np.zeros(one.shape, dtype=bool) for kind, one in self._excess(stretch.reference).items()}

    def run(self, start: np.ndarray | None, *, solved: bool, again: bool = False) -> Shaped:
        """Programs until nothing more is to be gained, then the last steps to the limits.

        Args:
            start: Control points to begin with; the reference where not given.
            solved: Whether only the last steps are left.
            again: Whether the start is what an earlier run came to.
        """
        here, gap, done = self._at(self.stretch.reference if start is None else start), np.inf, 0
        if here.excess <= self.options.feasible and here.cost == 0.0:
            return Shaped(here.x, 0.0, here.excess, 0.0, 0, Outcome(Status.SOLVED, "nothing is broken"))
        slight = solved and here.excess < self.options.slight  # only the last steps
        step = 1.0
        while done < self.options.programs and not slight:
            done += 1
            answer, foretold = self._program(here, _ROUGH if done <= _BOLD else _COARSE, rounds=_ROUNDS)
            self.price = self._settled_price(answer)
            moved, step = self._line_search(
                here, answer.x.reshape(here.x.shape), foretold, bold=start is None and done <= _BOLD
            )
            if self.told is not None:
                self.told(moved.cost)
            self._damp(here, moved, foretold)
            here, gap = moved, answer.gap / max(moved.cost, 1e-12)
            if done > 1 and (step == 0.0 or self._is_enough(answer, moved)):
                break
        if done:
            here, gap = self._sharpened(here, gap)
        before = here.cost
        here, settled = self._settled(here)
        dear = step == 0.0 or here.cost > _DEARLY * before
        if dear and here.excess <= self.options.feasible and not slight and not again:
            return self._better(here, gap, done + settled)
        if here.excess <= self.options.feasible:
            outcome = Outcome(Status.SOLVED, "nothing more is to be gained", done + settled)
        else:
            reason = f"limits are exceeded by {100.0 * here.excess:.3g} %"
            outcome = Outcome(Status.INFEASIBLE, reason, done + settled)
        return Shaped(here.x, here.cost, here.excess, gap, done + settled, outcome)

    def _damp(self, here: _Point, moved: _Point, foretold: float) -> None:
        """Marquardt's damping: more where a program promised too much, as where points bend away from their slopes."""
        gained = here.cost - moved.cost + self.price * (here.crossed - moved.crossed)
        if gained < _BROKEN_PROMISE * foretold:
            self.damping = max(4.0 * self.damping, _FIRST_DAMPING)
        elif gained > _KEPT_PROMISE * foretold:
            self.damping = self.damping / 4.0 if self.damping > _FIRST_DAMPING else 0.0

    def _better(self, here: _Point, gap: float, programs: int) -> Shaped:
        """Once more, from a motion within the limits that cost much to reach: from there slopes tell where to go."""
        self.price = self.options.price
        found = self.run(here.x, solved=False, again=True)
        if found.outcome.usable and found.cost < here.cost:
            return replace(found, programs=found.programs + programs)
        outcome = Outcome(Status.SOLVED, "nothing more is to be gained", programs + found.programs)
        return Shaped(here.x, here.cost, here.excess, gap, programs + found.programs, outcome)

    def _sharpened(self, here: _Point, gap: float) -> tuple[_Point, float]:
        """The answer of a last program that is solved to the end and not damped, where it is no worse.

        What coarser ones have left where no limit counts is gone then; and with linear limits alone its gap is a
        certificate.
        """
        self.damping = 0.0
        answer, _ = self._program(here, _SHARP, rounds=_ROUNDS)
        moved = self._at(here.x + answer.x.reshape(here.x.shape))
        merit, before = (one.cost + self.price * one.crossed for one in (moved, here))
        better = merit <= before * (1.0 + 1e-9) or (moved.excess <= self.options.slight and moved.cost <= here.cost)
        return (moved, answer.gap / max(moved.cost, 1e-12)) if better else (here, gap)

    def _is_enough(self, answer: BandQpSolution, moved: _Point) -> bool:
        """Whether the last program gained little, and the limits are near enough for the last steps."""
        little = abs(answer.cost) * (1.0 + self.damping) <= self.options.gain * max(moved.cost, 1e-12)
        return little and moved.excess <= self.options.slight

    def _settled(self, here: _Point) -> tuple[_Point, int]:
        """The nearest motion within all limits, by programs that look for nothing else; and how many these were."""
        for done in range(self.options.settling):
            if here.excess <= self.options.feasible:
                return here, done
            self.price = max(self.price, self.options.price) * (1.0 if done == 0 else self.options.dearer)
            answer, _ = self._program(here, _FINE, rounds=_ROUNDS, nearest=True)
            there = self._at(here.x + answer.x.reshape(here.x.shape))
            if not np.isfinite(there.cost) or there.crossed > 2.0 * here.crossed:
                return here, done + 1
            here = there
        return here, self.options.settling

    def _at(self, x: np.ndarray) -> _Point:
        stretch = self.stretch
        motion, carrying = _motion_of(self.stencils, x), _motion_of(self.carried, x)
        places = stretch.mechanics.places(motion)
        loads = stretch.loaded.loads(carrying) - stretch.ceiling
        crossed, excess = 0.0, 0.0
        for one in [*self._excess(x).values(), loads]:
            over = one[one > 0.0]
            crossed += float(over.sum())
            excess = max(excess, float(over.max(initial=0.0)))
        cost = stretch.visible.cost(places, motion.q)
        return _Point(x, motion, places, carrying, loads, cost, crossed, excess)

    def _program(
        self, here: _Point, tolerance: float, *, rounds: int, nearest: bool = False
    ) -> tuple[BandQpSolution, float]:
        """The convex program around a motion, its answer, and what that should gain.

        Args:
            here: The motion.
            tolerance: Of the gap.
            rounds: In which limits that were overlooked become rows, at most.
            nearest: Whether the nearest motion within the limits is sought, in place of the best one.
        """
        stretch, x = self.stretch, here.x
        count, columns = x.shape
        jacobians = stretch.mechanics.jacobians(here.motion)
        pull, squares = stretch.visible.derivatives(here.places, jacobians, here.motion.q)
        band, gradient = np.zeros((count * columns, 4 * columns)), np.zeros(count * columns)
        plain = self.stencils[0]
        add_moment_squares(plain.first, plain.values, squares, band)
        add_moment_pulls(plain.first, plain.values, pull, gradient)
        diagonal = band[:, -1]
        diagonal *= 1.0 + (0.0 if nearest else self.damping)
        diagonal += 1e-9 * float(diagonal.mean()) + 1e-15
        if nearest:
            gradient[:] = 0.0
        near = self.options.near + 0.5 * min(here.excess, _FAR)
        wide = self._wide_rows(here, near, columns)
        least = max(here.cost, 1e-9) * (1.0 if nearest else 1e-3)
        options = BandQpOptions(least_cost=least, tolerance=tolerance)
        for _ in range(rounds):
            narrow = stretch.limits.rows(x, near, self.seen)
            program = BandProgram(band, gradient, narrow, wide, stretch.held.ravel()).without_idle_rows()
            answer = solve_band_qp(program, np.zeros(count * columns), options)
            if not self._overlooked(x + answer.x.reshape(x.shape)):
                break
        return answer, self.price * here.crossed - answer.cost

    def _settled_price(self, answer: BandQpSolution) -> float:
        """A price that no limit is worth crossing for, and not much more: dear limits make short steps."""
        dearest, first = float(answer.multipliers.max(initial=0.0)), self.options.price
        if float(answer.excess.max(initial=0.0)) > self.options.slight:
            return min(_DEARER * self.price, _DEAREST * first)
        return self.price if dearest > 0.3 * self.price else max(3.0 * dearest, _CHEAPEST * first)

    def _overlooked(self, x: np.ndarray) -> bool:
        """Whether a motion crosses linear limits that were no rows; they will be from now on."""
        found = False
        for kind, excess in self._excess(x).items():
            new = (excess > self.options.feasible) & ~self.seen[kind]
            if new.any():
                found = True
                self.seen[kind] |= binary_dilation(new, _AROUND)
        return found

    def _excess(self, x: np.ndarray) -> dict[str, np.ndarray]:
        return self.stretch.limits.excess(x)

    def _wide_rows(self, here: _Point, near: float, columns: int) -> WideRows:
        moments, rows = np.nonzero((here.loads > -near) | self.felt)
        if not len(moments):
            return WideRows.none(columns)
        parts: MomentRows = self.stretch.loaded.load_rows(here.carrying)
        out = np.empty((len(moments), 4 * columns))
        b0, b1, b2 = (one.values for one in self.carried)
        put_wide_rows(moments, rows, b0, b1, b2, parts.by_q, parts.by_v, parts.by_a, out)
        price = np.full(len(moments), self.price)
        return WideRows(self.carried[0].first[moments], out, -here.loads[moments, rows], price)

    def _line_search(self, here: _Point, move: np.ndarray, foretold: float, *, bold: bool) -> tuple[_Point, float]:
        """Goes as far as it pays; a bold step goes all the way, as limits that it overlooks are rows of the next."""
        before, step = here.cost + self.price * here.crossed, 1.0
        while step >= _SHORTEST:
            there = self._at(here.x + step * move)
            self.felt |= there.loads > 0.0
            merit = there.cost + self.price * there.crossed
            if merit <= before - 1e-4 * step * foretold or (bold and np.isfinite(merit)):
                return there, step
            step *= 0.5
        return here, 0.0


def _motion_of(stencils: list[Stencils], x: np.ndarray) -> Motion:
    q, v, a = (one.of(x) for one in stencils)
    return Motion(slice(0, len(q)), q, v, a)
