"""The seven demonstrators of steady, with the columns of Table 1 of Hoshyari et al. (2019) beside the published ones.

Peaks are the largest distance of a tracked body from its quasi-static target over the clip, always with the motors'
accelerations beside them. The validated peak is that of a model with twice the coordinates of every rod, at 0.5 ms,
with another integrator than the one that was optimized.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
from rich.table import Column, Table

from animato import steady
from animato.gallery.steady import DEMONSTRATORS, Demonstrator
from animato.mechanics.simulation import IntegrationOptions, Integrator, System, integrate
from animato.steady.judging import validated
from benchmarks.row import Row

STEP = 0.5e-3


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A demonstrator, solved.

    Attributes:
        demonstrator: Which one.
        solution: Its answer.
        seconds: Processor time of building the problem and solving it [s].
        realtime: Simulated seconds a second of processor time at 0.5 ms, with the default integrator.
        validated_cm: Peak after on the finer model.
        validated_before_cm: The same of the artist's profiles.
    """

    demonstrator: Demonstrator
    solution: steady.Solution
    seconds: float
    realtime: float
    validated_cm: float
    validated_before_cm: float


def warm_up() -> None:
    """Compiles what is measured later."""
    one = DEMONSTRATORS["two_rods"]
    options = replace(one.options, iterations=1, step_s=4e-3, check_step_s=2e-3)
    validated(steady.solve(steady.build(one.character, one.clip, options, tracked=one.tracked)))


def retargeted(name: str) -> Retargeted:
    """Solves one of them with its own options and judges it; kernels must be warm."""
    one = DEMONSTRATORS[name]
    begin = time.process_time()
    problem = steady.build(one.character, one.clip, one.options, tracked=one.tracked)
    solution = steady.solve(problem)
    seconds = time.process_time() - begin
    judged = validated(solution)
    return Retargeted(one, solution, seconds, realtime(problem), 100.0 * judged.peak_after, 100.0 * judged.peak_before)


def realtime(problem: steady.Problem, step_s: float = STEP, repeats: int = 2) -> float:
    """Simulated seconds a second of processor time, of the artist's profiles; the best of several runs."""
    times = np.arange(round(problem.basis.duration / step_s) + 1) * step_s
    points = problem.basis.control_points(problem.artist)
    motors = np.stack([problem.basis.matrix(times, order) @ points for order in range(3)], axis=1)
    system: System = problem.scenarios[0].system
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        integrate(system, motors, step_s, IntegrationOptions(integrator=Integrator.GENERALIZED_ALPHA))
        seconds.append(time.process_time() - begin)
    return problem.basis.duration / min(seconds)


def demonstrator_rows(name: str) -> list[Row]:
    """All rows of one of them."""
    found = retargeted(name)
    one, solution = found.demonstrator, found.solution
    published, problem = one.published, solution.problem
    before, after = (solution.peak_acceleration(point.x) for point in (solution.before, solution.after))
    said_before = "" if published.peak_before_cm is None else "published"
    said_after = "" if published.peak_after_cm is None else "published"
    rows = [
        Row(
            f"{name}.peak_before_cm", 100.0 * solution.peak_before, "cm", "lower", said_before, published.peak_before_cm
        ),
        Row(f"{name}.peak_after_cm", 100.0 * solution.peak_after, "cm", "lower", said_after, published.peak_after_cm),
        Row(f"{name}.validated_peak_cm", found.validated_cm, "cm", "lower", "before", found.validated_before_cm),
        Row(f"{name}.acceleration", after, "rad/s^2", "lower", "before", before),
        Row(f"{name}.limit_share", _limit_share(solution), "of its limit", "lower"),
        Row(f"{name}.retarget_s", found.seconds, "s", "lower", "published", 60.0 * published.minutes),
        Row(f"{name}.realtime", found.realtime, "s/s", "higher", "published", published.realtime),
        Row(
            f"{name}.unknowns",
            problem.scenarios[0].system.unknown_count,
            "count",
            "lower",
            "published",
            published.reduced_dof,
        ),
        Row(f"{name}.parameters", problem.basis.size, "count", "higher", "published", published.parameters),
    ]
    if any(tracked.orientation > 0.0 for tracked in one.tracked):
        rows.append(
            Row(
                f"{name}.spill_deg",
                _spill(solution, solution.after),
                "deg",
                "lower",
                "before",
                _spill(solution, solution.before),
            )
        )
    return rows


def _limit_share(solution: steady.Solution) -> float:
    """The largest used share of any limit of motors: position, speed, acceleration, jerk or torque."""
    problem, after = solution.problem, solution.after
    share = 0.0
    if problem.limits is not None:
        share = problem.limits.worst_share(after.x) * (1.0 - problem.options.margin)
    if problem.torque is not None:
        share = max(share, solution.usage.peak("torque"))
    return share


def _spill(solution: steady.Solution, point: steady.optimization.SteadyPoint) -> float:
    """Largest angle between the axis of the upright body and effective gravity [deg]; water would stand across it."""
    problem = solution.problem
    body = next(n for n, one in enumerate(problem.tracked) if one.orientation > 0.0)
    run = point.runs[0]
    acceleration = np.gradient(np.gradient(run.points[:, body], problem.step_s, axis=0), problem.step_s, axis=0)
    felt = acceleration + np.array([0.0, 0.0, 9.81])
    axis = run.rotations[:, body, :, 2]
    cosine = np.sum(axis * felt, axis=1) / np.linalg.norm(felt, axis=1)
    return float(np.degrees(np.arccos(np.clip(cosine[2:-2], -1.0, 1.0))).max())


def growth_rows(name: str = "rod", seconds: tuple[float, float] = (4.0, 40.0)) -> list[Row]:
    """Cost a second of clip of one Gauss-Newton step with a fixed number of products, long over short."""
    costs = [_step_cost(name, duration) / duration for duration in seconds]
    return [Row("growth", costs[1] / costs[0], "ratio", "lower")]


def _step_cost(name: str, duration: float, products: int = 10) -> float:
    """Processor time of a simulation, its gradient and some products, of a clip played over and over [s]."""
    from animato.motion import Clip

    one = DEMONSTRATORS[name]
    clip = one.animate()
    times = int(np.ceil(duration / clip.duration))
    positions = np.vstack([clip.positions[:-1]] * times + [clip.positions[-1:]])
    step = clip.duration / (len(clip.times) - 1)
    repeated = Clip(step * np.arange(len(positions)), clip.names, positions, source=f"{times} times")
    rate = one.options.control_points / clip.duration if one.options.control_points else 25.0
    options = steady.Options(control_points=round(rate * repeated.duration))
    problem = steady.build(one.character, repeated, options, tracked=one.tracked)
    model = steady.optimization.SteadyModel(problem, None)
    best = np.inf
    for _ in range(2):
        begin = time.process_time()
        gradient, matrix = model.assemble(model.evaluate(problem.artist), exact=False)
        for _ in range(products):
            matrix.form(gradient)
        best = min(best, time.process_time() - begin)
    return best


def table_1(rows: list[Row]) -> Table:
    """Table 1 of the paper, with our figures over the published ones."""
    named = {row.name: row for row in rows}
    heads = ("dof", "parameters", "steps/s", "retargeted in", "before", "after", "finer", "rad/s^2")
    table = Table(
        Column("example", no_wrap=True),
        *(Column(head, justify="right", no_wrap=True) for head in heads),
        title="Table 1 of Hoshyari et al. (2019), ours / published; peaks in cm, rad/s^2 after / before",
    )
    for name, one in DEMONSTRATORS.items():
        if f"{name}.retarget_s" not in named:
            continue
        said = one.published
        row = {key: named[f"{name}.{key}"].value for key in _KEYS}
        table.add_row(
            name,
            f"{row['unknowns']:.0f} / {said.reduced_dof}",
            f"{row['parameters']:.0f} / {said.parameters}",
            f"{row['realtime'] / STEP:.0f} / {said.steps_per_s:g}",
            f"{row['retarget_s']:.1f} s / {said.minutes:g} min",
            f"{row['peak_before_cm']:.1f} / {_number(said.peak_before_cm)}",
            f"{row['peak_after_cm']:.2f} / {_number(said.peak_after_cm)}",
            f"{row['validated_peak_cm']:.2f}",
            f"{row['acceleration']:.0f} / {named[f'{name}.acceleration'].peer_value:.0f}",
        )
    return table


_KEYS = (
    "unknowns",
    "parameters",
    "realtime",
    "retarget_s",
    "peak_before_cm",
    "peak_after_cm",
    "validated_peak_cm",
    "acceleration",
)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
