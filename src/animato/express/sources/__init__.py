"""Where targets, postures and all else that a line can say come from: recordings, standard input, UDP."""

from animato.express.sources.live_targets import LiveTargets, StreamTargets, UdpTargets
from animato.express.sources.losses import Losing, Losses
from animato.express.sources.target_sources import FileTargets, load_targets, open_targets

__all__ = [
    "FileTargets",
    "LiveTargets",
    "Losing",
    "Losses",
    "StreamTargets",
    "UdpTargets",
    "load_targets",
    "open_targets",
]
