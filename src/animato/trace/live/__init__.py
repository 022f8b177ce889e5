"""Tracing while the stroke is still being drawn."""

from animato.trace.live.tracer import LiveTracer, posture_at

__all__ = [
    "LiveTracer",
    "posture_at",
]
