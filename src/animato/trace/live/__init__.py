"""Tracing while the stroke is still being drawn."""

from animato.trace.live.loop import LiveFigures, Loop, posture_at
from animato.trace.live.samples import LiveSample, parse_sample
from animato.trace.live.session import LiveSession, SessionFigures

__all__ = [
    "LiveFigures",
    "LiveSample",
    "LiveSession",
    "Loop",
    "SessionFigures",
    "parse_sample",
    "posture_at",
]
