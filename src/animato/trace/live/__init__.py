"""Tracing while the stroke is still being drawn."""

from animato.trace.live.loop import LiveFigures, Loop, posture_at

__all__ = [
    "LiveFigures",
    "Loop",
    "posture_at",
]
