"""The planar part of the demo of trace: path and timing after one another, at once, and in turn."""

from __future__ import annotations

from animato.formats import load_character
from animato.gallery.trace.page import Table
from animato.trace import optimize_coupled
from animato.trace.path import build_path_problem
from animato.trace.sketch import DrawnTiming, load_sketch
from animato.trace.timing import TimingOptions

BETAS = (0.01, 0.1, 1.0)
GAMMA = 0.01
CONTROL_POINTS, SEGMENTS = 16, 100
_NAMES = {"decoupled": "D", "coupled": "C", "iterative": "ID"}
_WORDS = (
    "D fits the path first and times it afterwards; C finds both at once; ID seeks the path alone, each with its best "
    "timing. All three minimize the same sum; the less the better. C and ID begin where D ends."
)


def coupled_tables(betas: tuple[float, ...] = BETAS, methods: tuple[str, ...] = tuple(_NAMES)) -> tuple[Table, ...]:
    """The three ways on the flourish, over beta.

    Args:
        betas: Weights of the timing.
        methods: Of "decoupled", "coupled" and "iterative", in this order.
    """
    arm = load_character("planar_arm")
    sketch = load_sketch("flourish", arm)
    problem = build_path_problem(arm, sketch, control_point_count=CONTROL_POINTS)
    drawn = DrawnTiming.from_sketch(sketch)
    rows = []
    for beta in betas:
        wishes = TimingOptions(beta=beta, gamma=GAMMA, segments=SEGMENTS, certificate=False)
        first = optimize_coupled(arm, problem, drawn, wishes, method="decoupled")
        for method in methods:
            one = (
                first
                if method == "decoupled"
                else optimize_coupled(arm, problem, drawn, wishes, method=method, start=first)
            )
            rows.append(
                (
                    f"{beta:g}",
                    _NAMES[method],
                    f"{one.objective:.4g}",
                    f"{100.0 * (1.0 - one.objective / first.objective):.0f} %",
                    f"{one.deviation:.3g}",
                    f"{one.timing_error:.3g}",
                    f"{one.duration:.2f}",
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
