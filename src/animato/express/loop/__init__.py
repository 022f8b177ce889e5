"""The live loop: targets in, joint positions out, on time and without ever raising."""

from animato.express.loop.command import Command, TargetSource
from animato.express.loop.command_lines import CommandLines
from animato.express.loop.command_sinks import CommandSink, CommandSinks
from animato.express.loop.live_loop import Loop
from animato.express.loop.real_time import in_real_time
from animato.express.loop.report import LoopReport
from animato.express.loop.solver_follower import SolverFollower
from animato.express.loop.udp_commands import UdpCommands
from animato.express.sources import FileTargets, StreamTargets, UdpTargets, load_targets, open_targets

__all__ = [
    "Command",
    "CommandLines",
    "CommandSink",
    "CommandSinks",
    "FileTargets",
    "Loop",
    "LoopReport",
    "SolverFollower",
    "StreamTargets",
    "TargetSource",
    "UdpCommands",
    "UdpTargets",
    "in_real_time",
    "load_targets",
    "open_targets",
]
