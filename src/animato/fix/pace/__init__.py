"""Time gives way: the same path, slower where a character cannot follow it."""

from animato.fix.pace.slowing import local_pace
from animato.fix.pace.time_map import Pace

__all__ = ["Pace", "local_pace"]
