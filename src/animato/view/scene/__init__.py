"""From a character and a motion to triangles."""

from animato.view.scene.annotated import render_annotated
from animato.view.scene.bending import Bend, Skin
from animato.view.scene.composition import floor_height, outline_points, some_moments, viewing_direction
from animato.view.scene.key_frames import key_frames
from animato.view.scene.lowest import has_meshes, lowest_height
from animato.view.scene.posing import pose_bodies, still_clip
from animato.view.scene.scene import Part, Scene, build_scene, place_part
from animato.view.scene.stage import Stage, set_stage, surfaces_of
from animato.view.scene.stand_ins import missing_meshes
from animato.view.scene.trail import point_path

__all__ = [
    "Bend",
    "Part",
    "Scene",
    "Skin",
    "Stage",
    "build_scene",
    "floor_height",
    "has_meshes",
    "key_frames",
    "lowest_height",
    "missing_meshes",
    "outline_points",
    "place_part",
    "point_path",
    "pose_bodies",
    "render_annotated",
    "set_stage",
    "some_moments",
    "still_clip",
    "surfaces_of",
    "viewing_direction",
]
