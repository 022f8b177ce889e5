"""A freehand stroke becomes a feasible motion with the artist's timing."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.trace.coupled_motion import CoupledMotion, optimize_coupled
    from animato.trace.solution import Traced, TraceOptions
    from animato.trace.solve import retimed, trace_strokes

__all__ = ["CoupledMotion", "TraceOptions", "Traced", "optimize_coupled", "retimed", "trace_strokes"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "CoupledMotion": "animato.trace.coupled_motion",
        "TraceOptions": "animato.trace.solution",
        "Traced": "animato.trace.solution",
        "optimize_coupled": "animato.trace.coupled_motion",
        "retimed": "animato.trace.solve",
        "trace_strokes": "animato.trace.solve",
    },
)
