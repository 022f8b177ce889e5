"""A performance on real servos: from where the robot stands, through the clip, to rest."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.playing.interrupting import Interrupts, interruptible
    from animato.stage.playing.latest import Latest
    from animato.stage.playing.live_stage import LiveStage
    from animato.stage.playing.opening import open_lines, rig_for, with_ports
    from animato.stage.playing.performance import Performance
    from animato.stage.playing.performing import ended, play
    from animato.stage.playing.plan import Plan, build_plan, refuse_too_much
    from animato.stage.playing.streaming import (
        ClipSource,
        Fault,
        FaultKind,
        Move,
        Options,
        Source,
        Still,
        Stream,
        StreamReport,
    )

__all__ = [
    "ClipSource",
    "Fault",
    "FaultKind",
    "Interrupts",
    "Latest",
    "LiveStage",
    "Move",
    "Options",
    "Performance",
    "Plan",
    "Source",
    "Still",
    "Stream",
    "StreamReport",
    "build_plan",
    "ended",
    "interruptible",
    "open_lines",
    "play",
    "refuse_too_much",
    "rig_for",
    "with_ports",
]

_STREAMING = (
    "ClipSource",
    "Fault",
    "FaultKind",
    "Move",
    "Options",
    "Source",
    "Still",
    "Stream",
    "StreamReport",
)

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.playing.interrupting": ("Interrupts", "interruptible"),
        "animato.stage.playing.latest": ("Latest",),
        "animato.stage.playing.live_stage": ("LiveStage",),
        "animato.stage.playing.opening": ("open_lines", "rig_for", "with_ports"),
        "animato.stage.playing.performance": ("Performance",),
        "animato.stage.playing.performing": ("ended", "play"),
        "animato.stage.playing.plan": ("Plan", "build_plan", "refuse_too_much"),
        "animato.stage.playing.streaming": _STREAMING,
    },
    rooms=("streaming",),
)
