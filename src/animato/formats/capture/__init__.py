"""Captured motion: AMC, BVH, C3D, GLB and TRC."""

from animato.formats.capture.amc import load_amc
from animato.formats.capture.bvh import load_bvh
from animato.formats.capture.bvh_writer import save_bvh
from animato.formats.capture.c3d import load_c3d
from animato.formats.capture.conventions import check_up_axis, guessed_up_axis, sampled_frames, vectors_z_up
from animato.formats.capture.glb import load_glb
from animato.formats.capture.trc import load_trc

__all__ = [
    "check_up_axis",
    "guessed_up_axis",
    "load_amc",
    "load_bvh",
    "load_c3d",
    "load_glb",
    "load_trc",
    "sampled_frames",
    "save_bvh",
    "vectors_z_up",
]
