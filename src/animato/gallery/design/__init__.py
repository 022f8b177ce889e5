"""The demonstrators of design, and its demo."""

from animato.gallery.design.biker import EDITS
from animato.gallery.design.demo import make_design_demo, save_design
from animato.gallery.design.demonstrators import Demonstrator, biker_motion, demonstrator, demonstrators
from animato.gallery.design.request import requested_motion, requested_motions, shipped_targets

__all__ = [
    "EDITS",
    "Demonstrator",
    "biker_motion",
    "demonstrator",
    "demonstrators",
    "make_design_demo",
    "requested_motion",
    "requested_motions",
    "save_design",
    "shipped_targets",
]
