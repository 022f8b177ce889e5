"""Who leads a show: its place, its pace, and what cues change."""

from animato.stage.shows.conducting.conductor import Conductor
from animato.stage.shows.conducting.travel import Travel

__all__ = ["Conductor", "Travel"]
