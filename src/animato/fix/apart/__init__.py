"""Bodies that are kept apart: what is watched, rows that part them, and the proof along the whole clip."""

from animato.fix.apart.kept_apart import KeptApart
from animato.fix.apart.proof import Nearness, nearness_of
from animato.fix.apart.watch import Watch, watch_of

__all__ = ["KeptApart", "Nearness", "Watch", "nearness_of", "watch_of"]
