"""Commands that go on while somebody draws."""

from animato.cli.live.following import LiveWishes, trace_live
from animato.cli.live.servos import LiveTo, ServoMap, Yes, asked_for_torque, live_stage, with_servos

__all__ = [
    "LiveTo",
    "LiveWishes",
    "ServoMap",
    "Yes",
    "asked_for_torque",
    "live_stage",
    "trace_live",
    "with_servos",
]
