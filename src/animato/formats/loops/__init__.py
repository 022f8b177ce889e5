"""Loops beside a URDF: files that say which links are joined, and frames that close them."""

from animato.formats.loops.loop_files import load_loop_closures, loops_beside, with_loops

__all__ = [
    "load_loop_closures",
    "loops_beside",
    "with_loops",
]
