"""What stays the same from one search direction to the next: orders of elimination and index tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.algebra.sparse_lu import Factors, factor
from animato.algebra.sparse_lu_analysis import SingularMatrixError, SymbolicLU, analyse
from animato.kernels.lanes import LANES
from animato.solvers.stage_qp.kernels import Reach
from animato.solvers.stage_qp.program import StageQP, StepMatrices
from animato.solvers.stage_qp.tangents import Projection, Tangents, projection, tangents

_SAMPLES = 8
"""Steps on which the order of elimination of Cs is judged."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Sparse right-hand sides of one substitution: the pattern of their entries in [position, column].

    Attributes:
        width: Columns, a multiple of LANES.
        dense: The one column whose entries are all there.
        place: Where each sparse entry goes, counted in numbers.
        dense_place: Where each entry of the dense column goes.
        reach: What is not zero on the way.
    """

    width: int
    dense: int
    place: np.ndarray
    dense_place: np.ndarray
    reach: Reach

    @property
    def blocks(self) -> int:
        """Blocks of LANES columns."""
        return self.width // LANES


@dataclass(frozen=True, eq=False)
class Triangle:
    """T with T + T^T = H: half the diagonal, and of two mirrored entries the one in the fuller row of X.

    That row of H X is as full as X itself, so that choosing it adds nothing to the products that follow.

    Attributes:
        start: Places of T in row k: start[k] .. start[k + 1].
        col: Column of every place.
        group: Place of every entry of H that counts.
        entry: Which entry of H it is.
        share: What it counts, 1 or 1/2.
    """

    start: np.ndarray
    col: np.ndarray
    group: np.ndarray
    entry: np.ndarray
    share: np.ndarray

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """As the kernels take them."""
        return self.start, self.col, self.group, self.entry, self.share


@dataclass(frozen=True, eq=False)
class StageAnalysis:
    """Index tables of programs of one pattern; made by `analyse_stages`, used by every direction.

    Reduced columns are ordered as design, the constant 1, controls.

    Attributes:
        symbolic: Order of elimination of Cs.
        row_position: Position of every row of Cs.
        col_position: Position of every state.
        design: Pattern of the design's tangents (its values are those of the program it was made from).
        controls: Pattern of the controls' tangents.
        Cp: Products of Cp with the design's tangents.
        Cu: Products of Cu with the controls' tangents.
        Hsp: Products of Hps^T with the design's tangents.
        Hsu: Products of Hus^T with the controls' tangents.
        forward: Columns of Cs^-1 [Cp, C, Cu].
        adjoint: Columns of Cs^-T [J^T, gs], or None without tracked residuals.
        curved: Place of the entries of [Hsp, (Hsp, Hsu) y, Hsu], counted in numbers.
        curved_states: States whose row of (Hsp, Hsu) has entries: those with an entry in the middle column.
        live: Blocks of T X + [Hsp, .., Hsu] that are not zero, row by row: start, block.
        product: Rows in which blocks of X and of that matrix meet, for `gram`: first, last, row.
        residual_product: The same for J X, where every block is there.
        triangle: Half of Hss by rows in positions.
    """

    symbolic: SymbolicLU
    row_position: np.ndarray
    col_position: np.ndarray
    design: Tangents
    controls: Tangents
    Cp: Projection
    Cu: Projection
    Hsp: Projection
    Hsu: Projection
    forward: Columns
    adjoint: Columns | None
    curved: np.ndarray
    curved_states: np.ndarray
    live: tuple[np.ndarray, np.ndarray]
    product: tuple[np.ndarray, np.ndarray, np.ndarray]
    residual_product: tuple[np.ndarray, np.ndarray, np.ndarray]
    triangle: Triangle

    @property
    def group(self) -> int:
        """Columns of the design and the constant."""
        return self.design.count + 1

    @property
    def column_count(self) -> int:
        """Reduced columns: design, constant, controls."""
        return self.group + self.controls.count


def inverse(order: np.ndarray) -> np.ndarray:
    """Position of every index in an order."""
    result = np.empty_like(order)
    result[order] = np.arange(len(order))
    return result


def padded(count: int) -> int:
    """The next multiple of LANES."""
    return -(-count // LANES) * LANES


def factored_states(qp: StageQP, symbolic: SymbolicLU | None) -> Factors:
    """Factors of Cs at all steps; a new order is made where the given one fails at too many of them."""
    samples = np.unique(np.linspace(0, qp.step_count - 1, _SAMPLES).astype(int))
    factors = factor(_order(qp, samples) if symbolic is None else symbolic, qp.Cs.values)
    failed = np.array(factors.repivoted, dtype=int)
    if len(failed) > max(2, qp.step_count // 50):
        chosen = failed[np.unique(np.linspace(0, len(failed) - 1, _SAMPLES).astype(int))]
        again = factor(_order(qp, np.unique(np.concatenate([samples, chosen]))), qp.Cs.values)
        factors = again if len(again.repivoted) < len(failed) else factors
    if factors.singular:
        shown = ", ".join(str(step) for step in factors.singular[:8]) + (", ..." if len(factors.singular) > 8 else "")
        raise SingularMatrixError(
            f"The kinematic rows cannot be solved for the states at stage {shown}: Cs has no inverse there. "
            "The pose is singular, or rows that say the same twice have not been taken out."
        )
    return factors


def _order(qp: StageQP, samples: np.ndarray) -> SymbolicLU:
    """An order of elimination for these steps, or for one of them if some are singular."""
    Cs = qp.Cs
    for chosen in (samples, *samples[:-1, None]):
        try:
            return analyse(Cs.rows, Cs.cols, qp.state_count, Cs.values[chosen])
        except SingularMatrixError:
            continue
    return analyse(Cs.rows, Cs.cols, qp.state_count, Cs.values[samples[-1]])


def analyse_stages(qp: StageQP, symbolic: SymbolicLU | None = None, *, skip_zeros: bool = True) -> StageAnalysis:
    """Makes the tables for programs of this pattern.

    Args:
        qp: Any program of the pattern.
        symbolic: Order of elimination of Cs, where it is known already.
        skip_zeros: Leave out of the products what is known to be zero.
    """
    if symbolic is None:
        symbolic = factored_states(qp, None).symbolic
    design, controls = tangents(qp.design_units, qp.design_count), tangents(qp.control_units, qp.control_count)
    row_position, col_position = inverse(symbolic.row_order), inverse(symbolic.col_order)
    if skip_zeros:
        Cp = projection(qp.Cp.rows, qp.Cp.cols, design)
        design = _gathered(symbolic, row_position[Cp.rows], design, Cp)
    parts = (
        projection(qp.Cp.rows, qp.Cp.cols, design),
        projection(qp.Cu.rows, qp.Cu.cols, controls),
        projection(qp.Hps.cols, qp.Hps.rows, design),
        projection(qp.Hus.cols, qp.Hus.rows, controls),
    )
    Cp, Cu, Hsp, Hsu = parts
    group = design.count + 1
    width = padded(group + controls.count)
    rows = row_position[np.concatenate([Cp.rows, Cu.rows])]
    cols = np.concatenate([Cp.cols, Cu.cols + group])
    curved_rows = col_position[np.concatenate([Hsp.rows, Hsu.rows])]
    curved_cols = np.concatenate([Hsp.cols, Hsu.cols + group])
    curved_states = np.unique(np.concatenate([Hsp.rows, Hsu.rows]))
    curved = np.concatenate([curved_rows * width + curved_cols, col_position[curved_states] * width + group - 1])
    forward = _columns(symbolic, rows, cols, width, group - 1, row_position, transposed=False)
    up = _expanded(forward.reach.up_start, forward.reach.up_block, forward.blocks)
    triangle = _triangle(col_position[qp.Hss.rows], col_position[qp.Hss.cols], up.sum(axis=1))
    live = _live(up, triangle, curved, width)
    if not skip_zeros:
        up, live = np.ones_like(up), np.ones_like(live)
        forward = replace(forward, reach=Reach(*_compressed(up), *_compressed(up)))
    residuals = 0 if qp.tracked is None else qp.tracked.jacobian.shape[0]
    every = np.ones((residuals, forward.blocks), dtype=bool)
    return StageAnalysis(
        symbolic=symbolic, row_position=row_position, col_position=col_position, design=design, controls=controls,
        Cp=Cp, Cu=Cu, Hsp=Hsp, Hsu=Hsu,
        forward=forward,
        adjoint=_adjoint(qp, symbolic, col_position),
        curved=curved, curved_states=curved_states, live=_compressed(live), product=meeting_rows(up, live),
        residual_product=meeting_rows(every, every), triangle=triangle,
    )  # fmt: skip


def _adjoint(qp: StageQP, symbolic: SymbolicLU, col_position: np.ndarray) -> Columns | None:
    """Right-hand sides J^T and gs."""
    if qp.tracked is None:
        return None
    jacobian: StepMatrices = qp.tracked.jacobian
    count = jacobian.shape[0]
    rows, width = col_position[jacobian.cols], padded(count + 1)
    return _columns(symbolic, rows, jacobian.rows, width, count, col_position, transposed=True)


def _columns(
    symbolic: SymbolicLU,
    rows: np.ndarray,
    cols: np.ndarray,
    width: int,
    dense: int,
    position: np.ndarray,
    *,
    transposed: bool,
) -> Columns:
    """Right-hand sides with entries at [row position, column] and one dense column."""
    live = np.zeros((symbolic.size, width // LANES), dtype=bool)
    live[rows, cols // LANES] = True
    live[:, dense // LANES] = True
    return Columns(width, dense, rows * width + cols, position * width + dense, _reach(symbolic, live, transposed))


def _reach(symbolic: SymbolicLU, live: np.ndarray, transposed: bool) -> Reach:
    """Which blocks become different from zero, first going down the rows, then up."""
    down, up = _spread(symbolic, live, transposed)
    return Reach(*_compressed(down), *_compressed(up))


def _spread(symbolic: SymbolicLU, live: np.ndarray, transposed: bool) -> tuple[np.ndarray, np.ndarray]:
    """What is not zero after going down the rows, and after going up again."""
    s = symbolic
    first, second = ((s.u_start, s.u_col), (s.l_start, s.l_row)) if transposed else (
        (s.l_start, s.l_row), (s.u_start, s.u_col))  # fmt: skip
    down = live.copy()
    for k in range(s.size):
        down[first[1][first[0][k] : first[0][k + 1]]] |= down[k]
    up = down.copy()
    for k in reversed(range(s.size)):
        up[k] |= up[second[1][second[0][k] : second[0][k + 1]]].any(axis=0)
    return down, up


def _compressed(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Start of every row, and the columns that are set."""
    starts = np.concatenate([[0], np.cumsum(mask.sum(axis=1))]).astype(np.int64)
    return starts, np.nonzero(mask)[1].astype(np.int64)


def _expanded(start: np.ndarray, block: np.ndarray, blocks: int) -> np.ndarray:
    """The mask of a compressed list."""
    mask = np.zeros((len(start) - 1, blocks), dtype=bool)
    mask[np.repeat(np.arange(len(start) - 1), np.diff(start)), block] = True
    return mask


def _triangle(rows: np.ndarray, cols: np.ndarray, fullness: np.ndarray) -> Triangle:
    """Half of a symmetric matrix whose entries stand at [row, col] and mirrored."""
    size = len(fullness)
    rank = fullness * size + np.arange(size)
    entry = np.flatnonzero(rank[rows] >= rank[cols])
    place, group = np.unique(rows[entry] * size + cols[entry], return_inverse=True)
    share = np.where(rows[entry] == cols[entry], 0.5, 1.0)
    start = np.searchsorted(place // size, np.arange(size + 1)).astype(np.int64)
    return Triangle(start, place % size, group.astype(np.int64), entry, share)


def _live(up: np.ndarray, triangle: Triangle, curved: np.ndarray, width: int) -> np.ndarray:
    """Blocks of T X + [Hsp, .., Hsu] that are not zero, shape [position, block]."""
    live = np.zeros_like(up)
    live[curved // width, curved % width // LANES] = True
    for k in range(len(up)):
        live[k] |= up[triangle.col[triangle.start[k] : triangle.start[k + 1]]].any(axis=0)
    return live


def meeting_rows(x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows in which a block of x and a block of a pair of m are both set, for `gram`: first, last, row."""
    blocks = x.shape[1]
    lists = [
        np.flatnonzero(x[:, a] & m[:, b : min(b + 2, blocks)].any(axis=1))
        for a in range(blocks)
        for b in range(0, blocks, 2)
    ]
    ends = np.cumsum([len(rows) for rows in lists]).astype(np.int64)
    return np.concatenate([[0], ends[:-1]]).astype(np.int64), ends, np.concatenate([*lists, []]).astype(np.int64)


def _gathered(symbolic: SymbolicLU, rows: np.ndarray, design: Tangents, Cp: Projection) -> Tangents:
    """The design with its reduced variables in an order that puts those of like reach into one block.

    The fullest come last, where they share a block with the constant, which is full anyway. The others are
    taken block by block: the fullest of what is left, then those that add fewest rows to it.
    """
    live = np.zeros((symbolic.size, design.count), dtype=bool)
    live[rows, Cp.cols] = True
    _, reach = _spread(symbolic, live, transposed=False)
    fullest = sorted(range(design.count), key=lambda j: (-int(reach[:, j].sum()), j))
    spare = design.count % LANES
    left, order = fullest[spare:], []
    while left:
        taken = [left.pop(0)]
        union = reach[:, taken[0]].copy()
        while len(taken) < LANES:
            added = (reach[:, left] & ~union[:, None]).sum(axis=0)
            shared = (reach[:, left] & union[:, None]).sum(axis=0)
            best = int(np.lexsort((np.arange(len(left)), -shared, added))[0])
            taken.append(left.pop(best))
            union |= reach[:, taken[-1]]
        order += taken
    place = inverse(np.array(order + fullest[:spare], dtype=np.int64))
    return replace(design, cols=place[design.cols])
