"""A person's motion on a humanoid while it happens: a stream of poses in, joint targets out."""

from animato.mimic.online.command import Command
from animato.mimic.online.live_loop import Loop
from animato.mimic.online.online_options import OnlineOptions

__all__ = [
    "Command",
    "Loop",
    "OnlineOptions",
]
