"""A character told to an editor: bones with limits, shapes on them, and how a clip of it is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from animato.character import Character, Geometry
from animato.character.structure import rest_poses
from animato.errors import CharacterError, MissingDependencyError
from animato.formats.files import UniqueNames
from animato.formats.outgoing import PlainTree, named_places, plain_tree, said_of_missing, triangles_of
from animato.formats.tables import clip_csv_text
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform
from animato.stage.bridge.bones import ROOT_COORDINATES, Bone, Skeleton, bones_of

_GREY = (0.7, 0.7, 0.72, 1.0)
_PART = 0.08  # length of a bone as a share of the character's size; it has no meaning but to be seen
_SMALLEST_M = 0.004


def describe(character: Character, source: str) -> dict[str, Any]:
    """All that an editor needs of a character, for `save_bridge_file`.

    Matrices are lists of four rows. Lengths are metres, angles radians, z is up.

    Args:
        character: Which one.
        source: How animato finds it again: its name, or the absolute path of its file.
    """
    tree = plain_tree(character)
    skeleton = bones_of(tree)
    meshes, shapes, missing = _shapes(tree.character, skeleton)
    stated = stated_coordinates(skeleton)
    return {
        "character": character.name,
        "source": source,
        "description": character.description,
        "bones": [_bone(bone, _length(tree.character)) for bone in skeleton.bones],
        "bodies": {body: {"bone": bone, "matrix": _rows(place)} for body, (bone, place) in skeleton.bodies.items()},
        "shapes": shapes,
        "meshes": meshes,
        "places": _places(tree.character, skeleton),
        "clip": {"header": _header(character, stated), "coordinates": list(stated)},
        "rest": _rest(character, tree),
        "notes": [*_notes(tree, skeleton), *said_of_missing(missing, "Meshes that cannot be read are left out")],
    }


def stated_coordinates(skeleton: Skeleton) -> tuple[str, ...]:
    """What a clip from the editor states: all that neither a gear nor a closed loop decides, the root last."""
    told = [bone for bone in skeleton.bones if bone.role in ("driven", "free")]
    ordered = [bone for bone in told if bone.kind != "root"] + [bone for bone in told if bone.kind == "root"]
    return tuple(channel.coordinate for bone in ordered for channel in bone.channels)


def _bone(bone: Bone, length: float) -> dict[str, Any]:
    return {
        "name": bone.name,
        "parent": bone.parent,
        "joint": bone.joint,
        "kind": bone.kind,
        "role": bone.role,
        "length": length,
        "matrix": _rows(bone.rest),
        "channels": [asdict(channel) for channel in bone.channels],
        "follows": None if bone.coupling is None else asdict(bone.coupling),
    }


def _shapes(
    character: Character, skeleton: Skeleton
) -> tuple[list[dict[str, np.ndarray]], list[dict[str, Any]], list[str]]:
    """Surfaces, each once; shapes that use them; paths of meshes that cannot be read."""
    numbers: dict[Geometry, int | None] = {}
    meshes: list[dict[str, np.ndarray]] = []
    shapes: list[dict[str, Any]] = []
    missing: list[str] = []
    for body in character.bodies:
        bone, place = skeleton.bodies[body.name]
        for shape in body.shapes:
            if not shape.visual:
                continue
            if shape.geometry not in numbers:
                numbers[shape.geometry] = _surface(shape.geometry, meshes, missing)
            number = numbers[shape.geometry]
            if number is not None:
                matrix = _rows(place @ shape.frame.transform)
                colour = list(shape.colour or _GREY)
                shapes.append({"body": body.name, "bone": bone, "matrix": matrix, "colour": colour, "mesh": number})
    return meshes, shapes, missing


def _surface(geometry: Geometry, meshes: list[dict[str, np.ndarray]], missing: list[str]) -> int | None:
    try:
        surface = triangles_of(geometry)
    except (CharacterError, MissingDependencyError):
        missing.append(str(getattr(geometry, "path", "")))
        return None
    meshes.append({"vertices": surface.vertices.astype(np.float32), "faces": surface.faces.astype(np.int32)})
    return len(meshes) - 1


def _places(character: Character, skeleton: Skeleton) -> list[dict[str, Any]]:
    found = []
    for place in named_places(character, UniqueNames(())):
        bone, where = skeleton.bodies[place.body]
        found.append({"name": place.name, "bone": bone, "matrix": _rows(where @ place.transform)})
    return found


def _header(character: Character, stated: tuple[str, ...]) -> list[str]:
    """The cells of the first line of a clip, as our own writer writes them."""
    names = tuple(name for name in stated if name not in ROOT_COORDINATES or name in character.coordinate_names)
    base = None if len(names) == len(stated) else np.zeros((1, 3))
    turn = None if base is None else np.array([[1.0, 0.0, 0.0, 0.0]])
    text = clip_csv_text(Clip(np.zeros(1), names, np.zeros((1, len(names))), base, turn), character)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return next(csv.reader(io.StringIO(lines[0])))


def _rest(character: Character, tree: PlainTree) -> Mapping[str, float]:
    """Where the floating root is while nothing moves; all other channels rest at zero."""
    if not tree.character.floats:
        return {}
    root = dict(rest_poses(character))[tree.steps[0].body]
    return dict(zip(ROOT_COORDINATES, (*root.position.tolist(), *root.quaternion_wxyz.tolist()), strict=True))


def _length(character: Character) -> float:
    places = np.array([pose.position for pose in dict(rest_poses(character)).values()])
    return max(_SMALLEST_M, _PART * float(np.linalg.norm(np.ptp(places, axis=0))))


def _notes(tree: PlainTree, skeleton: Skeleton) -> list[str]:
    notes = []
    if tree.ties:
        names = ", ".join(tie.joint.name for tie in tree.ties if tie.joint is not None)
        notes.append(f"Closed loops are cut at {names}; animato closes them, in the action that it gives back.")
    driven = {joint.name for joint in tree.driven}
    lost = sorted(driven - {bone.joint for bone in skeleton.bones})
    if lost:
        notes.append(f"Motors that close a loop have no bone and rest: {', '.join(lost)}.")
    balls = [bone.name for bone in skeleton.bones if bone.kind == "ball"]
    if balls:
        notes.append(f"The range of ball joints is checked and not held by the armature: {', '.join(balls)}.")
    if tree.character.flexible_parts:
        notes.append("Parts that bend are shown rigid.")
    return notes


def _rows(transform: RigidTransform) -> list[list[float]]:
    matrix = np.eye(4)
    matrix[:3, :3] = transform.rotation
    matrix[:3, 3] = transform.position
    return [[float(value) for value in row] for row in matrix]
