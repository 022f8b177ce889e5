"""What a transition moves, as numbers that are eased one by one over the same time."""

from animato.fix.joining.tracks.channels import Channel, Kind, channels_of, resting
from animato.fix.joining.tracks.clip_end import REACH, ClipEnd
from animato.fix.joining.tracks.easing import Pieces, eased, states_along
from animato.fix.joining.tracks.plan import LONGEST_S, Setting, Way, never, patient, shortest_frames, way_in
from animato.fix.joining.tracks.track import Track, TrackBounds, TrackState
from animato.fix.joining.tracks.turns import heading

__all__ = [
    "LONGEST_S",
    "REACH",
    "Channel",
    "ClipEnd",
    "Kind",
    "Pieces",
    "Setting",
    "Track",
    "TrackBounds",
    "TrackState",
    "Way",
    "channels_of",
    "eased",
    "heading",
    "never",
    "patient",
    "resting",
    "shortest_frames",
    "states_along",
    "way_in",
]
