"""trace: path and timing optimized together on the planar arm, beside IPOPT, and what that buys (Fig. 5)."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from rich.table import Table

from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.trace.coupled.interior_point import feasible_start
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.problem import CoupledProblem, build_coupled_problem
from animato.trace.coupled.solving import solve_coupled
from animato.trace.options import Method, Options
from animato.trace.problem import build
from animato.trace.published.pollard import follow_exact_timing
from animato.trace.sketch.sketch import build_sketch
from animato.trace.solution import Solution
from animato.trace.tracing import solve
from benchmarks.row import Row
from benchmarks.trace_coupled_corners import corner_rows
from benchmarks.trace_coupled_peer import PeerCoupled, solve_coupled_in_ipopt

BETAS = (0.01, 0.1, 1.0)
GAMMA = 0.01
CONTROL_POINTS = 16
SEGMENTS = 100
_REPEATS = 3


@dataclass(frozen=True, eq=False)
class PlanarCase:
    """One beta: the coupled problem, its start, and the decoupled motion it begins with."""

    beta: float
    problem: CoupledProblem
    decoupled: Solution

    @property
    def peer_start(self) -> tuple[np.ndarray, np.ndarray]:
        """The same feasible start that ours takes: control points and b."""
        model = CoupledModel(self.problem)
        x = np.concatenate([self.problem.start_points.ravel(), self.problem.start_b])
        return model.split(feasible_start(model, x))

    def solved(self, method: Method) -> Solution:
        """From the decoupled motion by another method."""
        first = self.decoupled.problem
        options = replace(first.options, method=method)
        return solve(build(first.character, first.sketch, options), start=self.decoupled)


def planar_case(beta: float) -> PlanarCase:
    """The planar arm on the flourish."""
    arm, sketch = load_character("planar_arm"), build_sketch(read_strokes("flourish"))
    options = Options(
        beta=beta,
        gamma=GAMMA,
        tempo_lock=False,
        segments=SEGMENTS,
        certificate=False,
        control_point_count=CONTROL_POINTS,
    )
    whole = build(arm, sketch, options)
    start = solve(whole)
    problem = build_coupled_problem(arm, whole.path, start.path, start.scaling, whole.drawn, options)
    return PlanarCase(beta, problem, start)


def in_ipopt(case: PlanarCase) -> PeerCoupled:
    """The quicker of the two ways to write the problem down."""
    ways = [solve_coupled_in_ipopt(case.problem, *case.peer_start, lifted_path=lifted) for lifted in (True, False)]
    return min(ways, key=lambda one: (not one.solved, one.seconds))


def _timed(case: PlanarCase, starts: int | None = None) -> tuple[float, float]:
    """Seconds and objective of one solve, from as many starts as the options say where not given."""
    begin = time.perf_counter()
    _, cost, _ = solve_coupled(case.problem, starts=starts)
    return time.perf_counter() - begin, cost


def coupled_rows(*, quick: bool) -> list[Row]:
    """Time and objective of the coupled optimum, summed over beta, and those of each beta."""
    seconds, peer_seconds, costs, peer_costs, rows = [], [], [], [], []
    for beta in BETAS[1:2] if quick else BETAS:
        case = planar_case(beta)
        solve_coupled(case.problem)  # compiled
        # before and after the peer, so that a busy moment of the machine meets both
        timed = [_timed(case) for _ in range(_REPEATS)]
        peer = in_ipopt(case)
        timed += [_timed(case) for _ in range(_REPEATS)]
        cost = timed[0][1]
        seconds.append(min(timed)[0])
        peer_seconds.append(peer.seconds)
        costs.append(cost)
        peer_costs.append(peer.objective)
        name = f"planar.coupled.beta_{beta:g}"
        alone = min(_timed(case, 1) for _ in range(_REPEATS))
        rows.append(Row(f"{name}_one_start_s", alone[0], "s", "lower", "ipopt", peer.seconds))
        rows.append(Row(f"{name}_one_start_objective", alone[1], "", "lower", "ipopt", peer.objective))
        rows.append(Row(f"{name}_s", seconds[-1], "s", "lower", "ipopt", peer.seconds))
        rows.append(Row(f"{name}_objective", cost, "", "lower", "ipopt", peer.objective))
        motion = case.solved("coupled")
        gain = 100.0 * (1.0 - motion.objective / case.decoupled.objective)
        rows.append(Row(f"{name}_better_than_decoupled_percent", gain, "%", "higher"))
    return [
        Row("planar.coupled_s", sum(seconds), "s", "lower", "ipopt", sum(peer_seconds)),
        Row("planar.coupled_objective", sum(costs), "", "lower", "ipopt", sum(peer_costs)),
        *rows,
        *corner_rows(quick=quick),
    ]


def comparison(betas: tuple[float, ...] = BETAS, *, iterative: bool = True) -> list[tuple[float, Solution]]:
    """Figure 5: decoupled, coupled and iterative motions for each beta."""
    found = []
    others: tuple[Method, ...] = ("coupled", "iterative") if iterative else ("coupled",)
    for beta in betas:
        case = planar_case(beta)
        found += [(beta, case.decoupled), *((beta, case.solved(method)) for method in others)]
    return found


def comparison_table(found: list[tuple[float, Solution]]) -> Table:
    """What each method gives, and Pollard's mean squared deviation beneath."""
    table = Table(title="planar arm: decoupled, coupled, iterative (Luo and Hauser 2012, Fig. 5)")
    for head in ("beta", "method", "f_g [m2]", "f_t [s2]", "t_f [s]", "objective", "seconds"):
        table.add_column(head, justify="left" if head == "method" else "right")
    for beta, motion in found:
        table.add_row(
            f"{beta:g}",
            motion.problem.options.method,
            f"{motion.path_fit.deviation:.5f}",
            f"{motion.scaling.timing_error:.5f}",
            f"{motion.scaling.duration:.3f}",
            f"{motion.objective:.5f}",
            f"{motion.seconds:.2f}",
        )
    arm, sketch = load_character("planar_arm"), build_sketch(read_strokes("flourish"))
    pollard = follow_exact_timing(arm, sketch)
    table.add_row("", "Pollard", f"{pollard.mean_square:.5f}", "0", f"{sketch.duration:.3f}", "", "")
    return table


if __name__ == "__main__":
    from rich import print as show

    for row in coupled_rows(quick=False):
        show(row)
    show(comparison_table(comparison()))
