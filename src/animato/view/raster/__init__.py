"""From triangles to pixels: camera, shading, shadows."""

from animato.view.raster import palette
from animato.view.raster.camera import Camera, framing
from animato.view.raster.labels import with_label, with_ring, with_title
from animato.view.raster.look import Look, check_size
from animato.view.raster.palette import Colour, speed_colour
from animato.view.raster.renderer import Ground, Layer, empty_light, make_surfaces, render, round_step
from animato.view.raster.shading import Surfaces
from animato.view.raster.triangles import (
    NOTHING,
    Triangles,
    ball_pair,
    box,
    capsule,
    cylinder,
    ellipsoid,
    grid_faces,
    joined,
    not_slivers,
    outward,
    unit_rows,
)

__all__ = [
    "NOTHING",
    "Camera",
    "Colour",
    "Ground",
    "Layer",
    "Look",
    "Surfaces",
    "Triangles",
    "ball_pair",
    "box",
    "capsule",
    "check_size",
    "cylinder",
    "ellipsoid",
    "empty_light",
    "framing",
    "grid_faces",
    "joined",
    "make_surfaces",
    "not_slivers",
    "outward",
    "palette",
    "render",
    "round_step",
    "speed_colour",
    "unit_rows",
    "with_label",
    "with_ring",
    "with_title",
]
