"""Writes GLB files, binary glTF 2.0, that Blender and other programs read: a character, still or in motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.described import shortened
from animato.errors import MotionError, OptionError
from animato.formats.files import UniqueNames, write_whole
from animato.formats.glb.container import GlbContainer
from animato.formats.glb.rig import Rig, build_rig, placed
from animato.formats.glb.surfaces import SurfaceWriter
from animato.formats.outgoing import Saved, left_out, named_places, plain_tree, said_of_missing
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions

HELD = {"range", "velocity", "acceleration", "jerk", "torque", "couplings", "passive", "end-points", "markers"}
_STILL = 1e-9  # [m or 1] what moves less does not move


def save_glb(
    path: str | Path, character: Character, poses: BodyPoses | None = None, *, motion: str = "motion"
) -> Saved:
    """Writes a character with all its visible shapes, and where poses are given an animation.

    Every joint is a node at its frame, named as the joint, with the body on it; limits stand in its `extras`,
    which Blender shows as custom properties. Numbers have single precision. z is turned to y, which is up in glTF.

    Args:
        path: Ends in .glb.
        character: What is written.
        poses: Where its bodies are over time, loops closed. Between the frames translations go straight and
            turns along the shortest way.
        motion: What the animation is called.

    Raises:
        MotionError: The poses are of another character.
    """
    if Path(path).suffix.lower() != ".glb":
        raise OptionError(f"A GLB file ends in .glb, not as '{Path(path).name}' does.")
    tree = plain_tree(character)
    rig = build_rig(tree)
    container = GlbContainer()
    surfaces = SurfaceWriter(container)
    _shapes(rig, surfaces)
    for place in named_places(tree.character, UniqueNames(node["name"] for node in rig.nodes)):
        node = {"name": place.name, "extras": {"on": place.body}} | placed(place.transform)
        rig.nodes.append(node)
        rig.nodes[rig.bodies[place.body]].setdefault("children", []).append(len(rig.nodes) - 1)
    if poses is not None:
        container.sections["animations"] = [_animation(rig, container, poses, motion)]
    container.sections |= {"nodes": rig.nodes, "scenes": [{"name": character.name, "nodes": [0]}], "scene": 0}
    written = write_whole(path, container.data())
    return Saved(written, (written,), (*left_out(character, HELD), *_said(rig, surfaces)))


def _shapes(rig: Rig, surfaces: SurfaceWriter) -> None:
    for body in rig.tree.character.bodies:
        seen = [shape for shape in body.shapes if shape.visual]
        for number, shape in enumerate(seen, start=1):
            name = f"{body.name}.shape" if len(seen) == 1 else f"{body.name}.shape_{number}"
            mesh = surfaces.mesh(shape, name)
            if mesh is not None:
                rig.nodes.append({"name": name, "mesh": mesh} | placed(shape.frame.transform))
                rig.nodes[rig.bodies[body.name]].setdefault("children", []).append(len(rig.nodes) - 1)


def _animation(rig: Rig, container: GlbContainer, poses: BodyPoses, name: str) -> dict[str, object]:
    """Keys of every node that moves, all at the times of the poses, which start at 0."""
    for body in rig.bodies:
        if body not in poses.names:
            raise MotionError(f"The poses tell nothing of body '{body}'; they are those of another character.")
    placed_bodies = {body: poses.of(body) for body in rig.bodies}
    times = container.accessor(poses.times - poses.times[0], bounds=True)
    channels: list[dict[str, object]] = []
    samplers: list[dict[str, object]] = []

    def add(node: int, what: str, values: np.ndarray) -> None:
        samplers.append({"input": times, "output": container.accessor(values), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": what}})

    for step, node in rig.moving:
        local = rig.local(step, placed_bodies)
        turns = quaternions.continuous(quaternions.normalized(local.quaternion_wxyz))
        rest = rig.nodes[node]
        place = np.array(rest.get("translation", (0.0, 0.0, 0.0)))
        # A node without keys is at its rest; so is one that is given a single unmoving pose elsewhere.
        if np.abs(local.position - place).max() > _STILL:
            add(node, "translation", local.position)
        add(node, "rotation", turns[:, [1, 2, 3, 0]])
    return {"name": name, "channels": channels, "samplers": samplers}


def _said(rig: Rig, surfaces: SurfaceWriter) -> list[str]:
    said = []
    if rig.tree.ties:
        names = [tie.joint.name for tie in rig.tree.ties if tie.joint is not None]
        words = "Nodes are a tree, and only the keys of an animation keep loops closed; they are cut at"
        said.append(f"{words} {shortened(names)}.")
    shown = [body for body in rig.tree.character.bodies if any(shape.visual for shape in body.shapes)]
    if not shown:
        said.append("No body has a visible shape: there is nothing to be seen but nodes.")
    return said + said_of_missing(surfaces.missing, "Meshes that are not there or cannot be read are left out")
