"""A CapturedMotion as BVH, for programs that read nothing else. What that loses is returned in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import MotionError, OptionError
from animato.formats.capture.conventions import check_metres_per_unit, vectors_y_up
from animato.formats.files import write_whole
from animato.motion import CapturedMotion
from animato.spatial import quaternions

_POSITIONS = "Xposition Yposition Zposition"
_ROTATIONS = "Zrotation Yrotation Xrotation"
_DEFAULT_STEP = 1.0 / 30.0  # s; the frame time of a single frame, which has none


def save_bvh(
    path: str | Path, capture: CapturedMotion, *, metres_per_unit: float = 0.01, up_axis: str = "y"
) -> tuple[str, ...]:
    """Writes a BVH file.

    Args:
        path: Where to.
        capture: What to write.
        metres_per_unit: Length of the unit that is written [m]; most programs expect centimetres.
        up_axis: "y" or "z"; most programs expect y.

    Returns:
        What the file does not hold, in words.
    """
    text, losses = bvh_text(capture, metres_per_unit=metres_per_unit, up_axis=up_axis)
    write_whole(path, text)
    return losses


def bvh_text(
    capture: CapturedMotion, *, metres_per_unit: float = 0.01, up_axis: str = "y"
) -> tuple[str, tuple[str, ...]]:
    """The content of the file, and what it does not hold."""
    if up_axis not in ("y", "z"):
        raise OptionError(f"up_axis must be y or z, given {up_axis!r}.")
    check_metres_per_unit(metres_per_unit)
    order = _depth_first(capture.parents)
    names, losses = _written_names(capture.names)
    losses += [
        "angles are in degrees and lengths in units with 9 decimals, so numbers are rounded",
        f"BVH knows no unit and no up axis; read it back with metres_per_unit={metres_per_unit!r}, up_axis='{up_axis}'",
    ]
    if order != list(range(len(order))):
        losses.append("the order of the bones: BVH goes down each limb before the next")
    if capture.source:
        losses.append("the note about the source")
    step, rotations, translations = _even_frames(capture, losses)
    shifts = vectors_y_up((translations if translations is not None else capture.offsets) / metres_per_unit, up_axis)
    offsets = vectors_y_up(capture.offsets / metres_per_unit, up_axis)
    turns = np.concatenate([rotations[..., :1], vectors_y_up(rotations[..., 1:], up_axis)], axis=-1)
    shifts = np.broadcast_to(shifts, (len(turns), *offsets.shape))
    ends = {bone for bone in order if _is_end(capture, bone)}
    blocks: list[np.ndarray] = []
    slides: set[int] = set()
    for bone in order:
        if bone in ends:
            continue
        if capture.parents[bone] < 0 or np.any(shifts[:, bone] != offsets[bone]):
            slides.add(bone)
            blocks.append(shifts[:, bone])
        blocks.append(np.degrees(zyx_angles(turns[:, bone])))
    lines = ["HIERARCHY", *_hierarchy_lines(capture.parents, order, names, offsets, ends, slides)]
    lines += ["MOTION", f"Frames: {len(turns)}", f"Frame Time: {step!r}"]
    values = np.hstack(blocks)
    pattern = " ".join(["%.9f"] * values.shape[1])
    lines += [pattern % tuple(row) for row in values.tolist()]
    return "\n".join(lines) + "\n", tuple(losses)


def zyx_angles(turns_wxyz: np.ndarray) -> np.ndarray:
    """Angles about z, then y, then x of the turned axes, without jumps over time, shape [frame, 3] [rad].

    The last angle is measured after the first two are taken off, so that the three stay a valid
    set even where the middle one is 90 degrees and the other two are not unique.
    """
    m = quaternions.matrix_from_quaternion(turns_wxyz)
    z = np.arctan2(m[:, 1, 0], m[:, 0, 0])
    y = np.arctan2(-m[:, 2, 0], np.hypot(m[:, 0, 0], m[:, 1, 0]))
    cosine, sine = np.cos(z), np.sin(z)
    x = np.arctan2(sine * m[:, 0, 2] - cosine * m[:, 1, 2], cosine * m[:, 1, 1] - sine * m[:, 0, 1])
    return np.unwrap(np.column_stack([z, y, x]), axis=0)


def _depth_first(parents: np.ndarray) -> list[int]:
    children: dict[int, list[int]] = {}
    for bone, parent in enumerate(parents.tolist()):
        children.setdefault(parent, []).append(bone)
    order: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        bone = waiting.pop()
        order.append(bone)
        waiting += children.get(bone, [])[::-1]
    return order


def _written_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """Names without braces, line breaks or double blanks, which would break the file."""
    written = tuple(" ".join(name.replace("{", "(").replace("}", ")").split()) for name in names)
    changed = [name for name, new in zip(names, written, strict=True) if name != new]
    if len(set(written)) != len(written) or "" in written:
        raise MotionError("Names of bones are empty or differ only in blanks and braces, which a BVH cannot hold.")
    return written, [f"names that BVH cannot hold were changed: {', '.join(map(repr, changed))}"] if changed else []


def _even_frames(capture: CapturedMotion, losses: list[str]) -> tuple[float, np.ndarray, np.ndarray | None]:
    """Frame time [s], rotations and translations at evenly spaced times; says where that changed something."""
    times, rotations, translations = capture.times, capture.rotations_wxyz, capture.translations
    if times[0] != 0.0:
        losses.append(f"the start at {times[0]:.6g} s: a BVH starts at 0")
    if len(times) == 1:
        return _DEFAULT_STEP, rotations, translations
    step = float(times[-1] - times[0]) / (len(times) - 1)
    even = times[0] + step * np.arange(len(times))
    if np.abs(times - even).max() <= 1e-6 * step:
        return step, rotations, translations
    losses.append(f"the uneven times of the frames: resampled to one every {step:.6g} s")
    before = np.clip(np.searchsorted(times, even, side="right") - 1, 0, len(times) - 2)
    share = (even - times[before]) / (times[before + 1] - times[before])
    rotations = quaternions.slerp(rotations[before], rotations[before + 1], share[:, None])
    if translations is not None:
        mix = share[:, None, None]
        translations = (1.0 - mix) * translations[before] + mix * translations[before + 1]
    return step, rotations, translations


def _is_end(capture: CapturedMotion, bone: int) -> bool:
    """Whether a bone is what the reader makes of an End Site."""
    parent = int(capture.parents[bone])
    return (
        parent >= 0
        and capture.names[bone].startswith(f"{capture.names[parent]}.end")
        and bone not in capture.parents
        and bool(np.all(capture.rotations_wxyz[:, bone] == (1.0, 0.0, 0.0, 0.0)))
        and (capture.translations is None or bool(np.all(capture.translations[:, bone] == capture.offsets[bone])))
    )


def _hierarchy_lines(
    parents: np.ndarray, order: list[int], names: tuple[str, ...], offsets: np.ndarray, ends: set[int], slides: set[int]
) -> list[str]:
    lines: list[str] = []
    open_bones: list[int] = []
    for bone in order:
        while open_bones and open_bones[-1] != parents[bone]:
            open_bones.pop()
            lines.append("\t" * len(open_bones) + "}")
        indent = "\t" * len(open_bones)
        head = "End Site" if bone in ends else f"{'JOINT' if open_bones else 'ROOT'} {names[bone]}"
        offset = " ".join(f"{value:.9f}" for value in offsets[bone])
        lines += [indent + head, indent + "{", f"{indent}\tOFFSET {offset}"]
        if bone not in ends:
            channels = f"6 {_POSITIONS} {_ROTATIONS}" if bone in slides else f"3 {_ROTATIONS}"
            lines.append(f"{indent}\tCHANNELS {channels}")
        open_bones.append(bone)
    while open_bones:
        open_bones.pop()
        lines.append("\t" * len(open_bones) + "}")
    return lines
