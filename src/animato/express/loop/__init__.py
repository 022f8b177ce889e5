"""The live loop: targets in, joint positions out, on time and without ever raising."""

from animato.express.loop.command_lines import CommandLines
from animato.express.loop.live_loop import ExpressLoop
from animato.express.loop.target_sources import open_targets

__all__ = [
    "CommandLines",
    "ExpressLoop",
    "open_targets",
]
