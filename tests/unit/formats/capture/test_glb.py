"""Animations of GLB files, made here byte by byte, and one that Blender exported."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, MissingDependencyError, OptionError, UnknownNameError
from animato.formats.capture.bvh import load_bvh
from animato.formats.capture.glb import glb_from_bytes, load_glb
from animato.spatial import quaternions

Json = dict[str, object]
COMPONENTS = {"<i1": 5120, "<u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}


class GlbBuilder:
    """Collects arrays and writes them as a GLB."""

    def __init__(self) -> None:
        self.blob = b""
        self.views: list[Json] = []
        self.accessors: list[Json] = []
        self.samplers: list[Json] = []
        self.channels: list[Json] = []

    def view(self, array: np.ndarray, **more: object) -> int:
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": array.nbytes, **more})
        self.blob += array.tobytes()
        return len(self.views) - 1

    def accessor(self, values: object, dtype: str = "<f4", **more: object) -> int:
        array = np.asarray(values).astype(dtype)
        kind = "SCALAR" if array.ndim == 1 else f"VEC{array.shape[1]}"
        entry: Json = {"bufferView": self.view(array), "componentType": COMPONENTS[dtype], "count": len(array)}
        self.accessors.append({**entry, "type": kind, **more})
        return len(self.accessors) - 1

    def keys(self, node: int, what: str, times: Sequence[float], values: object, mode: str | None = None) -> None:
        self.keys_of(node, what, self.accessor(times), self.accessor(values), mode)

    def keys_of(self, node: int, what: str, times: int, values: int, mode: str | None = None) -> None:
        sampler: Json = {"input": times, "output": values}
        if mode is not None:
            sampler["interpolation"] = mode
        self.samplers.append(sampler)
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": what}})

    def written(self, nodes: list[Json], **more: object) -> bytes:
        content = {
            "asset": {"version": "2.0"},
            "nodes": nodes,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.blob)}],
            "animations": [{"name": "wave", "channels": self.channels, "samplers": self.samplers}],
            **more,
        }
        text = json.dumps(content).encode()
        text += b" " * (-len(text) % 4)
        blob = self.blob + b"\0" * (-len(self.blob) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def xyzw(axis: Sequence[float], angles: Sequence[float]) -> np.ndarray:
    return quaternions.quaternion_about(np.array(axis, dtype=float), np.array(angles))[:, [1, 2, 3, 0]]


def test_blender_writes_the_same_motion_as_bvh(shared_data: Path) -> None:
    glb = load_glb(shared_data / "clips" / "blender" / "bl.glb")
    bvh = load_bvh(shared_data / "clips" / "blender" / "bl.bvh")
    assert glb.names == bvh.names[:3] == ("base", "neck", "head")
    assert glb.source == "bl.glb, animation 'RigAction'"
    assert glb.frame_count == bvh.frame_count == 61
    np.testing.assert_allclose(np.diff(glb.times), np.diff(bvh.times), atol=1e-6)
    order = [bvh.bone(name) for name in glb.names]
    (places, turns), (places_bvh, turns_bvh) = glb.world_poses(), bvh.world_poses()
    # float32 in the one, 6 decimals in the other: 1e-7 m and 1e-6 rad
    np.testing.assert_allclose(places, places_bvh[:, order], atol=1e-7)
    np.testing.assert_allclose(quaternions.angle_between(turns, turns_bvh[:, order]), 0.0, atol=1e-6)
    local = quaternions.angle_between(glb.rotations_wxyz, bvh.rotations_wxyz[:, order])
    np.testing.assert_allclose(local, 0.0, atol=1e-6)
    np.testing.assert_allclose(glb.offsets, bvh.offsets[order], atol=1e-7)


def test_linear_step_and_cubic_keys_and_different_key_times() -> None:
    build = GlbBuilder()
    build.keys(0, "rotation", [0.0, 1.0], xyzw((0, 1, 0), [0.0, 1.0]))
    build.keys(1, "translation", [0.0, 0.5, 1.0], [[0, 1, 0], [0, 2, 0], [0, 3, 0]], "STEP")
    cubic = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [5, 0, 0], [0, 0, 0]])
    build.keys(2, "translation", [0.0, 1.0], cubic, "CUBICSPLINE")
    nodes = [{"name": "a", "children": [1]}, {"name": "b", "children": [2], "translation": [0, 1, 0]}, {"name": "c"}]
    capture = glb_from_bytes(build.written(nodes), "a.glb", rate_hz=4.0)
    np.testing.assert_allclose(capture.times, [0, 0.25, 0.5, 0.75, 1.0], atol=1e-9)
    # glTF's y axis is up, so turns about y become turns about z
    turned = quaternions.rotation_vector_from_quaternion(capture.rotations_wxyz[:, 0])
    np.testing.assert_allclose(turned, np.outer(capture.times, [0, 0, 1]), atol=1e-7)
    assert capture.translations is not None
    np.testing.assert_allclose(capture.translations[:, 1], np.outer([1, 1, 2, 2, 3], [0, 0, 1]), atol=1e-12)
    s = capture.times
    np.testing.assert_allclose(capture.translations[:, 2, 0], 1 + 4 * (3 * s**2 - 2 * s**3), atol=1e-12)
    union = glb_from_bytes(build.written(nodes), "a.glb")
    np.testing.assert_allclose(union.times, [0.0, 0.5, 1.0], atol=1e-12)


def test_cubic_tangents_are_per_second() -> None:
    build = GlbBuilder()
    # f(t) = t^3 on [0, 2] has slopes 0 and 12
    cubic = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0], [12, 0, 0], [8, 0, 0], [0, 0, 0]])
    build.keys(0, "translation", [0.0, 2.0], cubic, "CUBICSPLINE")
    capture = glb_from_bytes(build.written([{"name": "a"}]), "a.glb", rate_hz=2.0)
    assert capture.translations is not None
    np.testing.assert_allclose(capture.translations[:, 0, 0], capture.times**3, atol=1e-12)


def test_normalized_integers_strides_and_sparse_accessors() -> None:
    build = GlbBuilder()
    half = round(32767 * np.sqrt(0.5))
    packed = np.array([[0, 0, 0, 32767], [half, 0, 0, half]])
    build.keys_of(0, "rotation", build.accessor([0.0, 1.0]), build.accessor(packed, "<i2", normalized=True))
    rows = np.array([[1, 2, 3, 99], [4, 5, 6, 99]], dtype="<f4")
    strided = build.view(rows, byteStride=16)
    build.accessors.append({"bufferView": strided, "componentType": 5126, "count": 2, "type": "VEC3"})
    build.keys_of(1, "translation", 0, len(build.accessors) - 1)
    places = build.view(np.array([1], dtype="<u2"))
    news = build.view(np.array([[7, 8, 9]], dtype="<f4"))
    sparse = {
        "count": 1,
        "indices": {"bufferView": places, "componentType": 5123},
        "values": {"bufferView": news},
    }
    build.accessors.append({"componentType": 5126, "count": 2, "type": "VEC3", "sparse": sparse})
    build.keys_of(2, "translation", 0, len(build.accessors) - 1)
    nodes = [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    capture = glb_from_bytes(build.written(nodes), "a.glb")
    turned = quaternions.rotation_vector_from_quaternion(capture.rotations_wxyz[:, 0])
    np.testing.assert_allclose(turned, [[0, 0, 0], [np.pi / 2, 0, 0]], atol=1e-4)  # 16 bits
    assert capture.translations is not None
    np.testing.assert_allclose(capture.translations[:, 1], [[1, -3, 2], [4, -6, 5]], atol=1e-12)
    np.testing.assert_allclose(capture.translations[:, 2], [[0, 0, 0], [7, -9, 8]], atol=1e-12)


def test_rest_axes_are_laid_along_the_world() -> None:
    """A bone that lies along x at rest and turns about its own y axis turns about the world's axis there."""
    build = GlbBuilder()
    tilt = quaternions.quaternion_about(np.array((0.0, 0.0, 1.0)), np.array(-np.pi / 2))  # y axis along world x
    angles = np.array([0.0, 0.5])
    own = quaternions.multiply(tilt, quaternions.quaternion_about(np.array((0.0, 1.0, 0.0)), angles))
    build.keys(1, "rotation", [0.0, 1.0], own[:, [1, 2, 3, 0]])
    rest = tilt[[1, 2, 3, 0]].tolist()
    nodes = [
        {"name": "root", "children": [1]},
        {"name": "bone", "children": [2], "rotation": rest},
        {"name": "tip", "translation": [0, 2, 0]},
    ]
    capture = glb_from_bytes(build.written(nodes, skins=[{"joints": [0, 1, 2]}]), "a.glb")
    assert capture.names == ("root", "bone", "tip")
    turned = quaternions.rotation_vector_from_quaternion(capture.rotations_wxyz[:, 1])
    np.testing.assert_allclose(turned, [[0, 0, 0], [0.5, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(capture.offsets[2], [2, 0, 0], atol=1e-6)
    positions, _ = capture.world_poses()
    np.testing.assert_allclose(positions[:, 2], [[2, 0, 0], [2, 0, 0]], atol=1e-6)


def test_still_ancestors_are_folded_in_with_their_scale() -> None:
    build = GlbBuilder()
    build.keys(1, "translation", [0.0, 1.0], [[0, 100, 0], [0, 200, 0]])
    armature = np.diag([0.01, 0.01, 0.01, 1.0])
    armature[:3, 3] = (1, 0, 0)
    nodes = [
        {"name": "Armature", "children": [1], "matrix": armature.T.ravel().tolist()},
        {"name": "hips", "children": [2], "translation": [0, 100, 0]},
        {"name": "foot", "translation": [0, -50, 0]},
    ]
    capture = glb_from_bytes(build.written(nodes, skins=[{"joints": [1, 2]}]), "a.glb")
    assert capture.names == ("hips", "foot")
    positions, _ = capture.world_poses()
    np.testing.assert_allclose(positions[:, 0], [[1, 0, 1], [1, 0, 2]], atol=1e-9)
    np.testing.assert_allclose(positions[:, 1], [[1, 0, 0.5], [1, 0, 1.5]], atol=1e-9)


def test_only_the_moved_skeleton_becomes_bones() -> None:
    build = GlbBuilder()
    build.keys(0, "rotation", [0.0, 1.0], xyzw((0, 1, 0), [0.0, 1.0]))
    build.keys(2, "translation", [0.0, 1.0], [[0, 0, 0], [1, 0, 0]])
    nodes = [{"name": "arm"}, {"name": "other rig"}, {"name": "camera"}, {"name": "arm"}]
    skinned = glb_from_bytes(build.written(nodes, skins=[{"joints": [0, 3]}, {"joints": [1]}]), "a.glb")
    assert skinned.names == ("arm", "arm (node 3)")
    assert glb_from_bytes(build.written(nodes), "a.glb").names == ("arm", "camera")


def test_animations_are_chosen_by_name() -> None:
    build = GlbBuilder()
    build.keys(0, "rotation", [0.0, 1.0], xyzw((0, 1, 0), [0.0, 1.0]))
    walk = {"name": "walk", "channels": build.channels, "samplers": build.samplers}
    data = build.written([{"name": "a"}], animations=[walk, {**walk, "name": "run"}])
    assert "animation 'walk' (the first; others: run)" in glb_from_bytes(data, "a.glb").source
    assert "animation 'run'" in glb_from_bytes(data, "a.glb", animation="run").source
    with pytest.raises(UnknownNameError, match=r"Did you mean 'run'\? Animations: walk, run"):
        glb_from_bytes(data, "a.glb", animation="runn")
    with pytest.raises(FileFormatError, match="no animation"):
        glb_from_bytes(build.written([{"name": "a"}], animations=[]), "a.glb")
    with pytest.raises(OptionError, match="rate_hz"):
        glb_from_bytes(data, "a.glb", rate_hz=0.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": [{"name": "a", "children": [0]}]}, "own ancestors"),
        ({"nodes": [{"children": [2]}, {"children": [2]}, {}]}, "two parents"),
        ({"nodes": [{"name": "a", "rotation": [0, 0, 1]}]}, "rotation of a node must be 4"),
        ({"nodes": []}, "0 nodes"),
        ({"accessors": []}, "an index into accessors"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 10**9}]}, "length of a buffer view"),
        ({"bufferViews": [{"buffer": 1, "byteLength": 4}]}, "another file"),
        ({"buffers": [{"uri": "a.bin", "byteLength": 40}]}, "another file"),
    ],
)
def test_damage_is_named(change: Json, message: str) -> None:
    build = GlbBuilder()
    build.keys(0, "rotation", [0.0, 1.0], xyzw((0, 1, 0), [0.0, 1.0]))
    nodes: list[Json] = [{"name": "a"}]
    with pytest.raises(FileFormatError, match=message):
        glb_from_bytes(build.written(**{"nodes": nodes, **change}), "a.glb")  # type: ignore[arg-type]


def test_key_times_that_fall_are_refused() -> None:
    build = GlbBuilder()
    build.keys(0, "rotation", [1.0, 0.0], xyzw((0, 1, 0), [0.0, 1.0]))
    with pytest.raises(FileFormatError, match="must rise"):
        glb_from_bytes(build.written([{}]), "a.glb")


def test_other_files_and_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileFormatError, match="not a binary glTF"):
        glb_from_bytes(b'{"asset": {}}', "a.glb")
    with pytest.raises(FileFormatError, match="damaged"):
        glb_from_bytes(b"glTF" + b"\0" * 40, "a.glb")
    monkeypatch.setitem(sys.modules, "pygltflib", None)
    with pytest.raises(MissingDependencyError, match=r"animato\[glb\]"):
        glb_from_bytes(b"glTF", "a.glb")
