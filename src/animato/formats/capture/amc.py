"""AMC, the motion of an ASF skeleton, into a CapturedMotion.

A bone's turn is C M C^-1: C takes its axes (`axis` in the skeleton) and M its angles, each about the axes of the
skeleton in the order in which the files list them. The unit is in the skeleton: `length 0.45`, as in the CMU database,
means inches divided by 0.45. The rate is in neither file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.capture.asf import ROOT, AsfBone, AsfSkeleton, load_asf, segment
from animato.formats.capture.bvh_hierarchy import LARGEST_NUMBER
from animato.formats.capture.conventions import (
    check_metres_per_unit,
    check_up_axis,
    guessed_metres_per_unit,
    guessed_up_axis,
    sampled_frames,
    turns_z_up,
    vectors_z_up,
)
from animato.formats.files import read_text_whole, shortened
from animato.motion import CapturedMotion
from animato.spatial import quaternions

USUAL_RATE_HZ = 120.0
"""Frames a second of an AMC file where nothing else is said, as in the CMU database."""

_INCH = 0.0254
_MOST_VALUES = 50_000_000  # of frames times bones times four numbers: 400 MB


def load_amc(
    path: str | Path,
    *,
    skeleton: str | Path | None = None,
    metres_per_unit: float | None = None,
    up_axis: str = "auto",
    rate_hz: float = USUAL_RATE_HZ,
) -> CapturedMotion:
    """Reads an AMC file with its skeleton.

    Args:
        path: The file.
        skeleton: Its ASF file; where not given it is looked for beside it: the same name, the name before the last
            underscore ("01.asf" for "01_02.amc"), or the only one in the folder.
        metres_per_unit: Length of the files' unit [m]; None takes what the skeleton says.
        up_axis: "y", "z", or "auto" to guess it from the skeleton.
        rate_hz: Frames a second.

    Raises:
        FileFormatError: With the line of the trouble.
    """
    text = read_text_whole(path)
    described = load_asf(skeleton if skeleton is not None else _beside(Path(path)))
    return amc_from_text(text, path, described, metres_per_unit=metres_per_unit, up_axis=up_axis, rate_hz=rate_hz)


def _beside(path: Path) -> Path:
    """The skeleton of a motion file."""
    try:
        found = sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ".asf")
    except (OSError, ValueError):
        found = []
    for stem in (path.stem, path.stem.rpartition("_")[0]):
        for file in found:
            if stem and file.stem.lower() == stem.lower():
                return file
    if len(found) == 1:
        return found[0]
    others = f" There are: {', '.join(file.name for file in found[:10])}." if found else ""
    raise FileFormatError(
        path,
        f"an AMC file needs its skeleton, and neither '{path.stem}.asf' nor another single .asf file is beside it."
        f"{others} Say which with `skeleton`.",
    )


def amc_from_text(
    text: str,
    path: str | Path,
    skeleton: AsfSkeleton,
    *,
    metres_per_unit: float | None = None,
    up_axis: str = "auto",
    rate_hz: float = USUAL_RATE_HZ,
) -> CapturedMotion:
    """The same of the content of a file and a skeleton; `path` only names it."""
    check_up_axis(up_axis)
    check_metres_per_unit(metres_per_unit)
    if not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"rate_hz must be greater than 0, given {rate_hz}.")
    columns, degrees = _columns(text.splitlines(), skeleton, path)
    frames = len(columns[ROOT])
    if frames * len(skeleton.bones) * 4 > _MOST_VALUES:
        raise FileFormatError(path, f"{frames} frames of {len(skeleton.bones)} bones are more than fit; cut the file.")
    raw = _raw_motion(skeleton, columns, degrees)
    figure = _figure(raw)
    notes = []
    if up_axis == "auto":
        up_axis = guessed_up_axis(figure)
        notes.append(f"{up_axis} taken as up")
    if metres_per_unit is None:
        metres_per_unit, unit = _unit(skeleton, figure, up_axis, raw.names)
        notes.append(f"unit taken as {unit}")
    notes.append(f"{rate_hz:g} frames a second taken")
    try:
        return CapturedMotion(
            np.arange(frames) / rate_hz,
            raw.names,
            raw.parents,
            vectors_z_up(raw.offsets * metres_per_unit, up_axis),
            turns_z_up(raw.rotations_wxyz, up_axis),
            vectors_z_up(raw.translations * metres_per_unit, up_axis),
            f"{Path(path).name} ({', '.join(notes)})",
        )
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _columns(lines: list[str], skeleton: AsfSkeleton, path: str | Path) -> tuple[dict[str, np.ndarray], bool]:
    """Numbers of each bone that moves, shape [frame, dof], and whether angles are in degrees."""
    wanted = {bone.name: len(bone.dofs) for bone in skeleton.bones if bone.dofs}
    rows: dict[str, list[list[float]]] = {name: [] for name in wanted}
    degrees, frames, last_line = skeleton.degrees, 0, 0
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(":"):
            degrees = {":degrees": True, ":radians": False}.get(words[0].lower(), degrees)
        elif len(words) == 1 and words[0].isdigit():
            _check_whole(rows, frames, path, number)
            frames += 1
        else:
            _row(words, rows, wanted, frames, path, number)
        last_line = number
    if frames == 0:
        raise FileFormatError(path, "no frame is in it: each begins with its number on a line of its own.")
    _check_whole(rows, frames, path, last_line)
    return {name: np.array(values) for name, values in rows.items()}, degrees


def _row(
    words: list[str],
    rows: dict[str, list[list[float]]],
    wanted: dict[str, int],
    frames: int,
    path: str | Path,
    line: int,
) -> None:
    name = words[0]
    if name not in wanted:
        raise FileFormatError(path, f"'{shortened(name)}' is no bone of the skeleton that moves.", line)
    try:
        values = [float(word) for word in words[1:]]
    except ValueError:
        raise FileFormatError(path, f"'{shortened(' '.join(words[1:]))}' must be numbers.", line) from None
    if len(values) != wanted[name] or not all(abs(value) < LARGEST_NUMBER for value in values):
        raise FileFormatError(
            path,
            f"'{shortened(name)}' has {len(values)} numbers; its skeleton asks for {wanted[name]} finite ones.",
            line,
        )
    if len(rows[name]) != frames - 1:
        raise FileFormatError(path, f"'{shortened(name)}' stands twice in a frame, or before the first one.", line)
    rows[name].append(values)


def _check_whole(rows: dict[str, list[list[float]]], frames: int, path: str | Path, line: int) -> None:
    for name, values in rows.items():
        if len(values) != frames:
            raise FileFormatError(path, f"frame {frames} lacks '{shortened(name)}'. Was the file cut off?", line)


@dataclass(frozen=True, eq=False)
class _RawMotion:
    """Fields of a CapturedMotion in the files' unit and axes."""

    names: tuple[str, ...]
    parents: np.ndarray
    offsets: np.ndarray
    rotations_wxyz: np.ndarray
    translations: np.ndarray


def _raw_motion(skeleton: AsfSkeleton, columns: dict[str, np.ndarray], degrees: bool) -> _RawMotion:
    frames = len(columns[ROOT])
    parents = list(skeleton.parents)
    names = [bone.name for bone in skeleton.bones]
    offsets = [np.array(skeleton.position)]
    offsets += [segment(skeleton.bones[parent]) for parent in parents[1:]]
    for index, bone in enumerate(skeleton.bones):
        if index not in skeleton.parents:
            names.append(f"{bone.name}.end")
            parents.append(index)
            offsets.append(segment(bone))
    rotations = np.zeros((frames, len(names), 4))
    rotations[..., 0] = 1.0
    for index, bone in enumerate(skeleton.bones):
        rotations[:, index] = _turns(bone, columns.get(bone.name), skeleton.degrees, degrees, frames)
    places = np.tile(np.array(offsets), (frames, 1, 1))
    for column, dof in enumerate(skeleton.bones[0].dofs):
        if dof[0] == "t":
            places[:, 0, "xyz".index(dof[1])] += columns[ROOT][:, column]
    return _RawMotion(tuple(names), np.array(parents), np.array(offsets), rotations, places)


def _turns(bone: AsfBone, values: np.ndarray | None, axis_degrees: bool, degrees: bool, frames: int) -> np.ndarray:
    """C M C^-1 of a bone, shape [frame, 4]. About fixed axes one after another is about own axes in reverse."""
    axis = np.array(bone.axis_angles) * (np.pi / 180.0 if axis_degrees else 1.0)
    frame = quaternions.quaternion_from_euler(axis[::-1], bone.axis_order[::-1])
    turning = [(column, dof[1]) for column, dof in enumerate(bone.dofs) if dof[0] == "r"][::-1]
    if values is None or not turning:
        return np.tile((1.0, 0.0, 0.0, 0.0), (frames, 1))
    angles = values[:, [column for column, _ in turning]] * (np.pi / 180.0 if degrees else 1.0)
    moved = quaternions.quaternion_from_euler(angles, "".join(letter for _, letter in turning))
    return quaternions.multiply(quaternions.multiply(frame, moved), quaternions.conjugate(frame))


def _figure(raw: _RawMotion) -> np.ndarray:
    """Where the joints are in some frames, shape [frame, bone, 3]."""
    some = sampled_frames(len(raw.rotations_wxyz))
    turns, moved = raw.rotations_wxyz[some], raw.translations[some]
    return CapturedMotion(np.arange(len(some)), raw.names, raw.parents, raw.offsets, turns, moved).world_poses()[0]


def _unit(skeleton: AsfSkeleton, figure: np.ndarray, up_axis: str, names: tuple[str, ...]) -> tuple[float, str]:
    """What the skeleton says where it says more than 1, else what makes it a person."""
    if skeleton.length_unit != 1.0:
        return _INCH / skeleton.length_unit, f"an inch / {skeleton.length_unit:g}, as the skeleton says"
    return guessed_metres_per_unit(figure, up_axis, names)
