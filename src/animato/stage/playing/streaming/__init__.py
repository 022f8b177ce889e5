"""Positions go out to servos in time: the guard, the clock, the watch, and the soft stop."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.playing.streaming.braking import Braking
    from animato.stage.playing.streaming.clock import Clock, Tick
    from animato.stage.playing.streaming.ensemble import Ensemble
    from animato.stage.playing.streaming.fault import Fault, FaultKind
    from animato.stage.playing.streaming.guard import Guard
    from animato.stage.playing.streaming.options import Options
    from animato.stage.playing.streaming.source import ClipSource, Move, Source, Still
    from animato.stage.playing.streaming.stream import Stream
    from animato.stage.playing.streaming.stream_report import StreamReport
    from animato.stage.playing.streaming.watch import Watch

__all__ = [
    "Braking",
    "ClipSource",
    "Clock",
    "Ensemble",
    "Fault",
    "FaultKind",
    "Guard",
    "Move",
    "Options",
    "Source",
    "Still",
    "Stream",
    "StreamReport",
    "Tick",
    "Watch",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.playing.streaming.braking": ("Braking",),
        "animato.stage.playing.streaming.clock": ("Clock", "Tick"),
        "animato.stage.playing.streaming.ensemble": ("Ensemble",),
        "animato.stage.playing.streaming.fault": ("Fault", "FaultKind"),
        "animato.stage.playing.streaming.guard": ("Guard",),
        "animato.stage.playing.streaming.options": ("Options",),
        "animato.stage.playing.streaming.source": ("ClipSource", "Move", "Source", "Still"),
        "animato.stage.playing.streaming.stream": ("Stream",),
        "animato.stage.playing.streaming.stream_report": ("StreamReport",),
        "animato.stage.playing.streaming.watch": ("Watch",),
    },
)
