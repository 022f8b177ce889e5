"""GLB files that are written, read back by pygltflib and trimesh: containers, nodes, animations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character import (
    Body,
    Box,
    Capsule,
    Character,
    Cylinder,
    Ellipsoid,
    EndPoint,
    Frame,
    Joint,
    JointType,
    Mesh,
    Shape,
    Sphere,
)
from animato.errors import AnimatoError, OptionError
from animato.formats.character_files import load_character, save_character
from animato.formats.motion_files import load_motion
from animato.formats.outgoing import triangles_of
from animato.loading.conversion import convert_file
from animato.loading.performing import save_performance
from animato.loading.saving import save
from animato.mechanics.loops import clip_with_loops
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform

pygltflib = pytest.importorskip("pygltflib")
SINGLE = 1e-6  # what numbers of single precision leave of metres
Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def numbers_of(file: Any, index: int) -> np.ndarray:
    accessor = file.accessors[index]
    view = file.bufferViews[accessor.bufferView]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
    kind = {5126: "<f4", 5125: "<u4"}[accessor.componentType]
    assert view.byteLength == 4 * width * accessor.count
    data = file.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    return np.frombuffer(data, kind).reshape(accessor.count, width).astype(float)


def matrices_at(file: Any, frame: int | None) -> dict[str, np.ndarray]:
    """T_world_node of all nodes in z up, at a frame of the first animation or at rest, by name."""
    keys: dict[tuple[int, str], np.ndarray] = {}
    if frame is not None:
        animation = file.animations[0]
        for channel in animation.channels:
            output = animation.samplers[channel.sampler].output
            keys[channel.target.node, channel.target.path] = numbers_of(file, output)[frame]
    found: dict[str, np.ndarray] = {}

    def walk(number: int, above: np.ndarray) -> None:
        node = file.nodes[number]
        place = keys.get((number, "translation"), node.translation or (0, 0, 0))
        x, y, z, w = keys.get((number, "rotation"), node.rotation or (0, 0, 0, 1))
        here = above @ RigidTransform(place, np.array((w, x, y, z)) / np.linalg.norm((w, x, y, z))).matrix
        found[node.name] = here
        for child in node.children or ():
            walk(child, here)

    walk(file.scenes[0].nodes[0], Z_UP)
    return found


def body_nodes(file: Any) -> dict[str, str]:
    return {node.extras["body"]: node.name for node in file.nodes if "body" in (node.extras or {})}


def assert_performs(file: Any, character: Character, clip: Clip) -> None:
    poses, nodes = forward_kinematics(character, clip), body_nodes(file)
    for frame in range(clip.frame_count):
        placed = matrices_at(file, frame)
        for body in character.bodies:
            wanted = poses.of(body.name).matrix[frame]
            assert np.abs(placed[nodes[body.name]] - wanted).max() < SINGLE


def random_clip(character: Character, count: int = 3) -> Clip:
    rng = np.random.default_rng(3)
    names, columns = [], []
    for joint in character.free_joints:
        values = rng.normal(size=(count, len(joint.coordinate_names)))
        if joint.type is JointType.SPHERICAL:
            values /= np.linalg.norm(values, axis=1, keepdims=True)
        names += joint.coordinate_names
        columns += list(0.5 * values.T if joint.type is not JointType.SPHERICAL else values.T)
    base = {}
    if character.floats:
        turns = rng.normal(size=(count, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        base = {"base_positions": rng.normal(size=(count, 3)), "base_quaternions_wxyz": turns}
    return Clip(np.arange(count) / 10.0, tuple(names), np.array(columns).T, **base, source="noise")


def every_joint(ground: bool) -> Character:
    """A chain of all joint types, some of them walked backwards."""
    moving = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.UNIVERSAL, JointType.CYLINDRICAL)
    moving += (JointType.CARTESIAN, JointType.SPHERICAL, JointType.FIXED)
    rng = np.random.default_rng(5)

    def frame() -> Frame:
        turn = rng.normal(size=4)
        return Frame(tuple(rng.normal(size=3)), tuple(turn / np.linalg.norm(turn)))

    joints = [Joint("held", JointType.GROUND, "world", "b0", frame_parent=frame())] if ground else []
    for number, kind in enumerate(moving):
        ends = (f"b{number}", f"b{number + 1}")
        parent, child = ends if number % 2 == 0 or not ground else ends[::-1]
        axis = tuple(rng.normal(size=3))
        joints.append(Joint(f"j{number}", kind, parent, child, None, frame(), frame(), axis))
    shapes = (Sphere(0.1), Box((0.1, 0.2, 0.3)), Cylinder(0.1, 0.2), Capsule(0.1, 0.2), Ellipsoid((0.1, 0.2, 0.3)))
    bodies = tuple(
        Body(f"b{n}", 1.0, (0.0, 0.0, 0.1), (0.1, 0.1, 0.1, 0.0, 0.0, 0.0), shapes=(Shape(shapes[n % 5]),))
        for n in range(8)
    )
    return Character("chain", bodies, tuple(joints), end_points=(EndPoint("tip", "b7"),))


@pytest.mark.parametrize("ground", [True, False])
def test_nodes_at_frames_are_where_forward_kinematics_has_them(tmp_path: Path, ground: bool) -> None:
    character = every_joint(ground)
    clip = random_clip(character)
    saved = save_performance(tmp_path / "chain.glb", character, clip)
    file = pygltflib.GLTF2().load(str(saved.path))
    assert file.animations[0].name == "noise"
    assert_performs(file, character, clip)
    rest = matrices_at(file, None)
    still = forward_kinematics(character, Clip(np.zeros(1), (), np.zeros((1, 0))))
    for body in character.bodies:
        assert np.abs(rest[body_nodes(file)[body.name]] - still.of(body.name).matrix[0]).max() < SINGLE


def test_a_mechanism_performs_with_its_loops_closed(tmp_path: Path) -> None:
    crank = load_character("four_bar")
    motor = crank.actuated_coordinate_names[0]
    clip = Clip(np.arange(3) / 10.0, (motor,), np.array([[0.0], [0.2], [0.4]]))
    whole = clip_with_loops(crank, clip)
    saved = save_performance(tmp_path / "crank.glb", crank, clip)
    assert any("only the keys of an animation keep loops closed" in one for one in saved.left_out)
    file = pygltflib.GLTF2().load(str(saved.path))
    nodes = body_nodes(file)
    for frame in range(3):
        placed = matrices_at(file, frame)
        for joint in crank.joints:
            if joint.type is not JointType.REVOLUTE:
                continue
            ends = [
                placed[nodes[body]] @ frame_on.transform.matrix
                for body, frame_on in ((joint.parent, joint.frame_parent), (joint.child, joint.frame_child))
            ]
            assert np.abs(ends[0][:3, 3] - ends[1][:3, 3]).max() < SINGLE
    assert whole.frame_count == 3


def test_counts_of_accessors_and_extras(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    saved = save_character(tmp_path / "lamp.glb", lamp)
    file = pygltflib.GLTF2().load(str(saved.path))
    for mesh in file.meshes:
        for primitive in mesh.primitives:
            vertices = numbers_of(file, primitive.attributes.POSITION)
            indices = numbers_of(file, primitive.indices)
            assert indices.max() < len(vertices) and len(indices) % 3 == 0
            bounds = file.accessors[primitive.attributes.POSITION]
            assert np.allclose(vertices.min(axis=0), bounds.min) and np.allclose(vertices.max(axis=0), bounds.max)
    joint = next(one for one in lamp.free_joints if one.limits[0].upper is not None)
    node = next(one for one in file.nodes if one.name == joint.name)
    assert node.extras["limits"][0]["upper"] == joint.limits[0].upper
    assert not file.animations
    assert any(one.startswith("Masses and inertias are left out") for one in saved.left_out)


def test_surfaces_face_outwards_and_have_the_volume_of_their_shapes() -> None:
    trimesh = pytest.importorskip("trimesh")
    shapes = {
        Box((0.1, 0.2, 0.3)): 0.006,
        Sphere(0.1): 4 / 3 * np.pi * 1e-3,
        Ellipsoid((0.1, 0.2, 0.3)): 4 / 3 * np.pi * 6e-3,
        Cylinder(0.1, 0.2): np.pi * 2e-3,
        Capsule(0.1, 0.2): np.pi * (2e-3 + 4e-3 / 3),
    }
    for geometry, volume in shapes.items():
        surface = triangles_of(geometry)
        mesh = trimesh.Trimesh(surface.vertices, surface.faces)
        # 32 corners of a circle leave out less than 2 % of its area
        assert 0.97 * volume < mesh.volume <= volume * (1 + 1e-12) and mesh.is_watertight
        assert surface.normals is not None
        flat = np.cross(
            *(surface.vertices[surface.faces[:, k]] - surface.vertices[surface.faces[:, 0]] for k in (1, 2))
        )
        assert (np.einsum("ij,ij->i", flat, surface.normals[surface.faces].sum(axis=1)) > 0.0).all()


def test_our_own_reader_sees_the_performance(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = random_clip(lamp)
    save(tmp_path / "lamp.glb", clip, lamp)
    motion = load_motion(tmp_path / "lamp.glb")
    assert set(motion.names) >= set(lamp.coordinate_names)
    assert np.allclose(motion.times, clip.times, atol=1e-6)


def test_meshes_are_embedded_and_missing_ones_said(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / "cube.stl")
    there, absent = (Shape(Mesh(str(tmp_path / name), (2.0, 1.0, 1.0))) for name in ("cube.stl", "gone.stl"))
    character = Character("cube", (Body("a", shapes=(there, absent)),))
    saved = save_character(tmp_path / "cube.glb", character)
    scene = trimesh.load(saved.path)
    assert np.allclose(sorted(scene.extents), (1.0, 1.0, 2.0))
    assert any("gone.stl" in one for one in saved.left_out)


def test_what_cannot_be_converted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="say whose clip"):
        save(tmp_path / "x.glb", random_clip(load_character("lamp")))
    with pytest.raises(OptionError, match="only, not in"):
        convert_file("lamp", tmp_path / "x.urdf", motion="look.npz")
    with pytest.raises(OptionError, match="the ending says the format"):
        save_character(tmp_path / "x.dae", load_character("lamp"))
    with pytest.raises(AnimatoError):
        save_character(tmp_path, load_character("lamp"))
    assert list(tmp_path.iterdir()) == []
