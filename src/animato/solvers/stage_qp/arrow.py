"""The search direction by elimination to an arrow: controls in a band, the design as its border."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.algebra.banded_arrow import BandedArrow, factor_banded_arrow
from animato.solvers.stage_qp.analysis import StageAnalysis, analyse_stages, factored_states
from animato.solvers.stage_qp.program import Direction, StageQP
from animato.solvers.stage_qp.recovery import recovered
from animato.solvers.stage_qp.reduction import ReducedQP, reduced

_ROUNDING = 1e-13
"""Slope that is left, relative to its terms, at which a direction is as good as it gets."""

_REFINEMENTS = 2
"""Corrections where more is left than that: the band is eliminated without pivots."""

_SHIFTS = 40
"""Tries of a larger shift before giving up; each is ten times the last."""

_BISECTIONS = 2
"""Tries of a smaller one afterwards, so that it is at most twice what is needed."""


def arrow_direction(qp: StageQP, analysis: StageAnalysis | None = None, *, convexify: bool, shift: float) -> Direction:
    """Solves a stage program; see `stage_qp_direction.search_direction`."""
    factors = factored_states(qp, None if analysis is None else analysis.symbolic)
    if analysis is None or factors.symbolic is not analysis.symbolic:
        analysis = analyse_stages(qp, factors.symbolic)
    design, controls = analysis.design.at(qp.design_units), analysis.controls.at(qp.control_units)
    program = reduced(qp, analysis, factors, design, controls)
    arrow, shift, negative = factored_arrow(program, convexify=convexify, shift=shift)

    def fitted(x: np.ndarray, y: np.ndarray) -> tuple[Direction, np.ndarray, np.ndarray, float]:
        """The direction of reduced controls and design, and the slope that is left in them."""
        dp, du = design.expanded(y[None])[0], controls.expanded(x.reshape(qp.step_count, -1))
        found, slope = recovered(qp, factors, dp, du, shift=shift, negative_pivots=negative)
        slope_x, slope_y = controls.contracted(slope.controls).ravel(), design.contracted(slope.design)[0]
        left = max(np.abs(slope_x).max(initial=0.0), np.abs(slope_y).max(initial=0.0)) / max(slope.scale, 1e-300)
        return found, slope_x, slope_y, float(left)

    x, y = arrow.solve(-program.control_gradient.ravel(), -program.design_gradient)
    found, slope_x, slope_y, left = fitted(x, y)
    for _ in range(_REFINEMENTS):
        if left <= _ROUNDING:
            break
        dx, dy = arrow.solve(-slope_x, -slope_y)
        x, y = x + dx, y + dy
        again = fitted(x, y)
        if not again[-1] < left:
            break
        found, slope_x, slope_y, left = again
    return replace(found, analysis=analysis, residual=left)


def factored_arrow(program: ReducedQP, *, convexify: bool, shift: float) -> tuple[BandedArrow, float, int]:
    """Factors of the reduced matrix, the shift of its diagonal, and its negative eigenvalues without any."""
    band, steps = _band(program), len(program.control_gradient)
    border = np.ascontiguousarray(program.border.reshape(len(band), len(program.corner)))

    def factored(size: float) -> BandedArrow:
        return factor_banded_arrow(band, border, program.corner, size, steps * size)

    arrow = factored(0.0)
    negative = arrow.negative
    if shift > 0.0:
        arrow = factored(shift)
    if not convexify or arrow.convex:
        return arrow, shift, negative
    diagonal = np.concatenate([band[:, -1], np.diag(program.corner) / steps])
    low = max(shift, 1e-9 * np.abs(diagonal).mean(), 1e-300)
    high = low
    for _ in range(_SHIFTS):
        arrow = factored(high)
        if arrow.convex:
            break
        low, high = high, 10.0 * high
    for _ in range(_BISECTIONS if high > low else 0):
        middle = float(np.sqrt(low * high))
        less = factored(middle)
        if less.convex:
            arrow, high = less, middle
        else:
            low = middle
    return arrow, high, negative


def _band(program: ReducedQP) -> np.ndarray:
    """The controls' matrix as a band [row, width + 1]; see `algebra.banded`."""
    steps, count = program.control_gradient.shape
    # scalars meet only themselves at the next stage; the three of a quaternion meet one another
    width = count if program.controls.whole else count + 2
    band = np.zeros((steps, count, width + 1))
    for i in range(count):
        for j in range(i + 1):
            band[:, i, width - i + j] = program.diagonal[:, i, j]
        for j in range(max(0, count + i - width), count):
            band[1:, i, width - count - i + j] = program.below[:, i, j]
    return band.reshape(steps * count, width + 1)
