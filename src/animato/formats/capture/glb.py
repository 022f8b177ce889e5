"""Animations of a GLB file (binary glTF), such as Blender exports, into a CapturedMotion.

Bones are the joints of skins that the animation moves, with whatever lies between them; without
skins all animated nodes. Nodes above them that do not move are folded into the roots. The rest pose
is that of the nodes without animation, and every bone's axes are laid along the world's there, so
that zero rotation is the rest pose as in BVH. The result is in metres with z up; glTF itself is in
metres with y up. Key times are kept; the float32 numbers of glTF carry about 7 digits.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError, unknown_name
from animato.formats.capture.conventions import turns_z_up, vectors_z_up
from animato.formats.capture.gltf_accessors import GltfFile, open_glb
from animato.formats.capture.gltf_nodes import NodeTree, read_nodes
from animato.formats.capture.gltf_sampler import MODES, KeyframeTrack
from animato.formats.files import read_bytes_whole
from animato.motion import CapturedMotion
from animato.spatial import quaternions

_WIDTHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_SAME_TIME = 1e-6  # s; keys that are this near are the same moment, written in float32
_MOST_BONES = 2000
_MOST_CELLS = 2_000_000  # frames times nodes; about 500 MB while they are worked on
_MOST_NUMBERS = 20_000_000  # in all keys

Tracks = dict[tuple[int, str], KeyframeTrack]


def load_glb(path: str | Path, *, animation: str | None = None, rate_hz: float | None = None) -> CapturedMotion:
    """Reads one animation.

    Args:
        path: The file.
        animation: Its name; None takes the first.
        rate_hz: Frames a second to sample at; None has a frame at every key of any bone.

    Raises:
        FileFormatError: It is damaged, or has no animation.
        UnknownNameError: No animation has that name; the message lists them.
        MissingDependencyError: pygltflib is not installed.
    """
    return glb_from_bytes(read_bytes_whole(path), path, animation=animation, rate_hz=rate_hz)


def glb_from_bytes(
    data: bytes, path: str | Path, *, animation: str | None = None, rate_hz: float | None = None
) -> CapturedMotion:
    """The same of the content of a file; `path` only names it."""
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"rate_hz must be greater than 0, given {rate_hz}.")
    file = open_glb(data, path)
    tree = read_nodes(file)
    index, name, note = _chosen(file, animation)
    tracks = _tracks(file, index, len(tree.names))
    bones = _bones(file, tree, {node for node, _ in tracks})
    times = _frame_times(tracks, rate_hz)
    wanted = tree.with_ancestors(bones)
    if len(times) * len(wanted) > _MOST_CELLS:
        message = f"{len(times)} frames of {len(wanted)} nodes are more than fit; give a lower rate_hz."
        raise FileFormatError(path, message)
    with np.errstate(all="ignore"):  # absurd numbers may overflow before they are refused
        return _capture(file, tree, bones, wanted, tracks, times, f"{Path(path).name}, animation '{name}'{note}")


def _chosen(file: GltfFile, wanted: str | None) -> tuple[int, str, str]:
    """Index and name of the animation, and a remark where the choice was not the user's."""
    animations = file.entries("animations")
    names = [str(getattr(one, "name", None) or f"animation {n}") for n, one in enumerate(animations)]
    if not names:
        raise FileFormatError(file.path, "it holds no animation; when exporting from Blender, tick 'Animation'.")
    if wanted is not None:
        if wanted not in names:
            raise unknown_name("animation", wanted, names, Path(file.path).name)
        return names.index(wanted), wanted, ""
    others = names[1:]
    return 0, names[0], f" (the first; others: {', '.join(others[:10])})" if others else ""


def _tracks(file: GltfFile, index: int, node_count: int) -> Tracks:
    """The keyframes of the animation by node and property; morph weights are left out."""
    animation = file.entries("animations")[index]
    channels, samplers = animation.channels or [], animation.samplers or []
    if not isinstance(channels, list) or not isinstance(samplers, list):
        raise file.trouble("an animation has no list of channels and samplers")
    tracks: Tracks = {}
    read: dict[tuple[int, str], KeyframeTrack] = {}
    total = 0
    for channel in channels:
        target = getattr(channel, "target", None)
        what = getattr(target, "path", None)
        if getattr(target, "node", None) is None or what not in _WIDTHS:
            continue
        node = file.whole(getattr(target, "node", None), "the node of a channel", node_count)
        sampler = file.whole(getattr(channel, "sampler", None), "the sampler of a channel", len(samplers))
        if (sampler, what) not in read:
            read[sampler, what] = _track(file, samplers[sampler], what)
            total += read[sampler, what].values.size + read[sampler, what].keys.size
            if total > _MOST_NUMBERS:
                raise FileFormatError(file.path, f"its animation has more than {_MOST_NUMBERS} numbers.")
        tracks[node, what] = read[sampler, what]
    if not tracks:
        raise FileFormatError(file.path, "its animation moves no node.")
    return tracks


def _track(file: GltfFile, sampler: object, what: str) -> KeyframeTrack:
    keys = file.accessor(getattr(sampler, "input", None), "SCALAR", "the key times")[:, 0]
    values = file.accessor(getattr(sampler, "output", None), _WIDTHS[what], f"the keys of a {what}")
    mode = getattr(sampler, "interpolation", None) or "LINEAR"
    if mode not in MODES:
        raise file.trouble(f"interpolation {str(mode)[:20]!r} is not one of {', '.join(MODES)}")
    if len(keys) == 0 or np.any(np.diff(keys) <= 0.0):
        raise file.trouble("the key times of an animation must rise")
    if len(values) != len(keys) * (3 if mode == "CUBICSPLINE" else 1):
        raise file.trouble(f"{len(values)} keys of a {what} at {len(keys)} times")
    turns = what == "rotation"
    return KeyframeTrack(keys, values[:, [3, 0, 1, 2]] if turns else values, mode, turns)


def _bones(file: GltfFile, tree: NodeTree, moved: set[int]) -> list[int]:
    """Nodes that become bones, parents first."""
    joints: set[int] = set()
    for skin in file.entries("skins"):
        listed = getattr(skin, "joints", None) or []
        if not isinstance(listed, list):
            raise file.trouble("a skin has no list of joints")
        members = {file.whole(node, "a joint of a skin", len(tree.names)) for node in listed}
        if members & moved:
            joints |= members
    if joints:
        above = tree.with_ancestors(joints)
        chosen = joints | (moved & set(above))
    else:
        chosen = moved
    bones = tree.connected(chosen)
    if len(bones) > _MOST_BONES:
        raise file.trouble(f"{len(bones)} animated nodes; at most {_MOST_BONES} are read")
    return bones


def _frame_times(tracks: Tracks, rate_hz: float | None) -> np.ndarray:
    """Times of the frames [s]: all keys, or evenly from the first key to the last."""
    distinct = {id(track.keys): track.keys for track in tracks.values()}
    keys = np.unique(np.concatenate(list(distinct.values())))
    if rate_hz is None:
        return keys[np.concatenate([[True], np.diff(keys) > _SAME_TIME])]
    count = min(int((keys[-1] - keys[0]) * rate_hz + 1e-6) + 1, _MOST_CELLS + 1)
    return keys[0] + np.arange(count) / rate_hz


def _capture(
    file: GltfFile, tree: NodeTree, bones: list[int], wanted: list[int], tracks: Tracks, times: np.ndarray, source: str
) -> CapturedMotion:
    rest_places, rest_turns = tree.world_poses(wanted, {}, times[:1])
    places, turns = tree.world_poses(wanted, tracks, times)
    index = {node: n for n, node in enumerate(bones)}
    parents = np.array([index.get(tree.parents[node], -1) for node in bones])
    offsets = np.empty((len(bones), 3))
    rotations = np.empty((len(times), len(bones), 4))
    translations = np.empty((len(times), len(bones), 3))
    for n, (node, parent) in enumerate(zip(bones, parents.tolist(), strict=True)):
        turn = quaternions.multiply(turns[node], quaternions.conjugate(rest_turns[node]))
        if parent < 0:
            rotations[:, n], translations[:, n], offsets[n] = turn, places[node], rest_places[node][0]
            continue
        above = bones[parent]
        back = quaternions.multiply(rest_turns[above], quaternions.conjugate(turns[above]))
        rotations[:, n] = quaternions.multiply(back, turn)
        translations[:, n] = quaternions.rotate(back, places[node] - places[above])
        offsets[n] = (rest_places[node] - rest_places[above])[0]
    try:
        return CapturedMotion(
            times,
            tuple(tree.names[node] for node in bones),
            parents,
            vectors_z_up(offsets, "y"),
            turns_z_up(rotations, "y"),
            vectors_z_up(translations, "y"),
            source,
        )
    except MotionError as error:
        raise FileFormatError(file.path, str(error)) from None
