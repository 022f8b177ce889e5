"""Loops beside a URDF: files that say which links are joined, and frames that close them."""

from animato.formats.loops.closing import tied_at_rest
from animato.formats.loops.loop_files import load_loop_closures, loops_beside, with_loops
from animato.formats.loops.loop_writer import loop_text
from animato.formats.loops.postures import with_tied_postures

__all__ = [
    "load_loop_closures",
    "loop_text",
    "loops_beside",
    "tied_at_rest",
    "with_loops",
    "with_tied_postures",
]
