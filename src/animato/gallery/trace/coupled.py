"""The planar part of the demo of trace: path and timing after one another, at once, and in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from animato.formats import load_character
from animato.gallery.trace.page import Table
from animato.outcome import Progress
from animato.trace import Method, Options, Solution, build, load_strokes, solve

BETAS = (0.01, 0.1, 1.0)
GAMMA = 0.01
CONTROL_POINTS, SEGMENTS = 16, 100
METHOD_NAMES: dict[Method, str] = {"decoupled": "D", "coupled": "C", "iterative": "ID"}
_WORDS = (
    "D fits the path first and times it afterwards; C finds both at once; ID seeks the path alone, each with its best "
    "timing. All three minimize the same sum; the less the better. C and ID begin where D ends."
)


def flourish_runs(beta: float, methods: Sequence[Method], progress: Progress | None = None) -> list[Solution]:
    """The flourish by several methods; all but the decoupled one begin where that ends.

    Args:
        beta: Weight of the timing.
        methods: In this order.
        progress: Told of every step.
    """
    arm = load_character("planar_arm")
    sketch = load_strokes("flourish", arm)
    options = Options(
        beta=beta,
        gamma=GAMMA,
        tempo_lock=False,
        segments=SEGMENTS,
        certificate=False,
        control_point_count=CONTROL_POINTS,
    )
    first = solve(build(arm, sketch, options), progress=progress)
    problems = {method: build(arm, sketch, replace(options, method=method)) for method in methods}
    return [
        first if method == "decoupled" else solve(problem, start=first, progress=progress)
        for method, problem in problems.items()
    ]


def coupled_tables(
    betas: tuple[float, ...] = BETAS,
    methods: tuple[Method, ...] = tuple(METHOD_NAMES),
    progress: Progress | None = None,
) -> tuple[Table, ...]:
    """The three ways on the flourish, over beta.

    Args:
        betas: Weights of the timing.
        methods: Of "decoupled", "coupled" and "iterative", in this order.
        progress: Told of every step.
    """
    rows = []
    for beta in betas:
        runs = flourish_runs(beta, methods, progress)
        for method, one in zip(methods, runs, strict=True):
            rows.append(
                (
                    f"{beta:g}",
                    METHOD_NAMES[method],
                    f"{one.objective:.4g}",
                    f"{100.0 * (1.0 - one.objective / runs[0].objective):.0f} %",
                    f"{one.path_fit.deviation:.3g}",
                    f"{one.scaling.timing_error:.3g}",
                    f"{one.scaling.duration:.2f}",
                    f"{one.seconds:.2f}",
                )
            )
    heads = (
        "beta",
        "method",
        "sum",
        "less than D",
        "off the line [m²]",
        "off the rhythm [s²]",
        "duration [s]",
        "took [s]",
    )
    return (Table("After one another, at once, in turn", heads, tuple(rows), _WORDS),)
