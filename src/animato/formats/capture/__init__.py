"""Captured motion: BVH, C3D, GLB and TRC."""

from animato.formats.capture.bvh import load_bvh
from animato.formats.capture.bvh_writer import save_bvh
from animato.formats.capture.c3d import load_c3d
from animato.formats.capture.glb import load_glb
from animato.formats.capture.trc import load_trc

__all__ = [
    "load_bvh",
    "load_c3d",
    "load_glb",
    "load_trc",
    "save_bvh",
]
