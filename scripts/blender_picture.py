"""Draws docs/images/stage-blender.png: a lamp in Blender whose action was checked, at three frames, coloured by heat.

Run by the Python of .venv-blender: .venv-blender/5.0.1/bin/python scripts/blender_picture.py
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from pathlib import Path

import bpy
import numpy as np

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "blender"))
os.environ.setdefault("ANIMATO", str(PROJECT / ".venv" / "bin" / "animato"))

import animato_bridge  # noqa: E402
from animato_bridge import jobs  # noqa: E402
from animato_bridge.armature import channel_path, description_of  # noqa: E402
from animato_bridge.curves import ActionWriter, new_action  # noqa: E402

SIZE = (420, 480)
OUT = PROJECT / "docs" / "images" / "stage-blender.png"


def main() -> None:
    """Imports, keys, checks and draws."""
    animato_bridge.register()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.animato.import_character(character="lamp")
    rig = _finished().result
    _key(rig, description_of(rig))
    bpy.ops.animato.check()
    print(_finished().result["sentence"])
    scene = bpy.context.scene
    marks = sorted(scene.timeline_markers, key=lambda marker: marker.frame)
    worst = max(marks, key=lambda marker: int("".join(c for c in marker.name.split()[-2] if c.isdigit()) or 0))
    print([(marker.frame, marker.name) for marker in marks])
    caption = _stage(scene)
    pictures = []
    calm, near = 6, _near_frame(rig)
    for frame, words in ((calm, "calm"), (near, "close to a limit"), (worst.frame, worst.name)):
        scene.frame_set(frame)
        caption.data.body = f"frame {frame}: {words}"
        pictures.append(_rendered(scene))
    whole = np.concatenate(pictures, axis=1)
    _save(whole)


def _finished() -> jobs.Job:
    while jobs.timer() is not None:
        time.sleep(0.02)
    assert not jobs.state.job.error, jobs.state.job.error
    return jobs.state.job


def _key(rig, told) -> None:
    """A look around that ends in shaking the head far too fast."""
    seconds = np.arange(60) / 24
    fast = np.clip((seconds - 1.0) / 1.2, 0.0, 1.0)
    values = {
        "turn": 0.5 * np.sin(2.2 * seconds),
        "shoulder": -0.3 + 0.2 * np.sin(1.5 * seconds),
        "elbow": 1.2 + 0.2 * np.sin(1.1 * seconds),
        "nod": -0.7 + 0.25 * np.sin(2.0 * seconds),
        "tilt": 0.8 * fast * np.sin(2 * math.pi * 1.9 * seconds),
    }
    writer = ActionWriter(new_action("look"), rig)
    for bone in told["bones"]:
        channel = bone["channels"][0]
        writer.write(channel_path(bone, channel), channel["index"], 1 + np.arange(60), values[bone["name"]])
    writer.assign()


def _near_frame(rig) -> int:
    """A frame at which the hottest joint is just inside its limits."""
    from animato_bridge.curves import curves_of

    curves = curves_of(rig.data.animation_data.action)
    hottest = {frame: max(curve.evaluate(frame) for curve in curves) for frame in range(10, 58)}
    return min(hottest, key=lambda frame: abs(hottest[frame] - 0.93))


def _stage(scene):
    """Floor, light, camera and a line of text; gives the text."""
    bpy.ops.mesh.primitive_plane_add(size=400)
    bpy.context.object.color = (0.93, 0.93, 0.93, 1.0)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (1.15, -0.75, 0.48), (math.radians(77), 0.0, math.radians(57))
    camera.data.lens = 92
    words = bpy.data.objects.new("words", bpy.data.curves.new("words", "FONT"))
    words.parent = camera
    words.location, words.data.size, words.data.align_x = (0.0, -0.172, -1.0), 0.0165, "CENTER"
    dark = bpy.data.materials.new("dark")
    if bpy.app.version < (5, 0, 0):
        dark.use_nodes = True
    dark.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.01, 0.01, 0.01, 1.0)
    words.data.materials.append(dark)
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.rotation_euler, sun.data.energy, sun.data.angle = (0.5, 0.5, 0.3), 2.0, 0.3
    for one in (camera, words, sun):
        scene.collection.objects.link(one)
    world = bpy.data.worlds.new("world")
    if bpy.app.version < (5, 0, 0):
        world.use_nodes = True
    back = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    back.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    back.inputs["Strength"].default_value = 0.5
    scene.world, scene.camera = world, camera
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 48, False
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = "Standard"
    return words


def _rendered(scene) -> np.ndarray:
    """One frame, shape [row, column, 4], from below."""
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "frame.png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        return np.array(image.pixels[:]).reshape(SIZE[1], SIZE[0], 4)


def _save(pixels: np.ndarray) -> None:
    image = bpy.data.images.new("whole", pixels.shape[1], pixels.shape[0])
    image.pixels = pixels.ravel()
    image.filepath_raw, image.file_format = str(OUT), "PNG"
    image.save()


if __name__ == "__main__":
    main()
