"""Motion in numpy's .npz, self-describing and without pickle: nothing is lost, not a bit.

A file holds one array a field of the motion, and these, so that it can be read without animato:

| array | holds |
|---|---|
| `kind` | "clip", "captured_motion", "marker_motion", "posture" or "stroke" |
| `format_version` | 1 |
| `units` | one "array: unit" for each array of numbers |
| `column_units` | clips and postures: the unit of each name, empty where the character was not known |
| `rate_hz` | frames a second, NaN where they are not evenly spaced |
| `source` | where the motion came from |
"""

from __future__ import annotations

import dataclasses
import io
import zipfile
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError
from animato.formats.files import read_bytes_whole, units_of, write_whole
from animato.formats.tables.npy_archive import Members, read_members
from animato.motion import CapturedMotion, Clip, MarkerMotion, Motion, Posture, Stroke

FORMAT_VERSION = 1

_KINDS: dict[str, type[Motion]] = {
    "clip": Clip,
    "captured_motion": CapturedMotion,
    "marker_motion": MarkerMotion,
    "posture": Posture,
    "stroke": Stroke,
}

_UNITS = {
    "times": "s",
    "base_positions": "m",
    "base_quaternions_wxyz": "1 (w, x, y, z)",
    "offsets": "m",
    "rotations_wxyz": "1 (w, x, y, z)",
    "translations": "m",
    "points": "m",
    "pressure": "1 (0 to 1)",
}


def save_npz(path: str | Path, motion: Motion, character: Character | None = None) -> Path:
    """Writes any motion; nothing is lost.

    Args:
        path: Where to.
        motion: What to write.
        character: Whose motion it is; tells the units of the columns, nothing else.
    """
    return write_whole(path, npz_bytes(motion, character))


def load_npz(path: str | Path) -> Motion:
    """Reads what `save_npz` wrote.

    Raises:
        FileFormatError: It is not such a file, or it is damaged.
    """
    return motion_from_npz(read_bytes_whole(path), path)


def npz_bytes(motion: Motion, character: Character | None = None) -> bytes:
    """The content of an .npz file; the same motion always gives the same bytes."""
    kind = next(name for name, type_ in _KINDS.items() if isinstance(motion, type_))
    members: Members = {"kind": np.array(kind), "format_version": np.array(FORMAT_VERSION, dtype="<i8")}
    units = []
    for field in dataclasses.fields(motion):
        value = getattr(motion, field.name)
        if value is None:
            continue
        members[field.name] = _text_array(value) if field.name in ("names", "source") else value
        if field.name == "positions":
            units.append(f"positions: {'m' if isinstance(motion, MarkerMotion) else 'see column_units'}")
        elif field.name in _UNITS:
            units.append(f"{field.name}: {_UNITS[field.name]}")
    if isinstance(motion, Clip | Posture):
        members["column_units"] = _text_array(units_of(motion.names, character))
    if not isinstance(motion, Posture) and motion.times is not None:
        members["rate_hz"] = np.array(_rate(motion.times))
    members["units"] = _text_array(units)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in members.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array).reshape(array.shape), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue())  # dated 1980, so no clock gets in
    return buffer.getvalue()


def motion_from_npz(data: bytes, path: str | Path) -> Motion:
    """The motion in the content of an .npz file; `path` only names it in errors."""
    members = read_members(data, path)
    for name in ("kind", "format_version"):
        if name not in members:
            found = ", ".join(members) or "none"
            raise FileFormatError(
                path, f"this is not a motion of animato: it has no array '{name}'. Its arrays: {found}."
            )
    version = members["format_version"]
    if version.shape != () or version.dtype.kind != "i" or not 1 <= int(version) <= FORMAT_VERSION:
        raise FileFormatError(
            path, f"format version {str(version)[:40]}; this animato reads 1 to {FORMAT_VERSION}. Update animato."
        )
    kind = str(members["kind"])
    if kind not in _KINDS:
        raise FileFormatError(path, f"a motion of kind {kind[:40]!r}; kinds: {', '.join(_KINDS)}.")
    _check_column_units(members, path)
    return _built(_KINDS[kind], members, path)


def _built(kind: type[Motion], members: Members, path: str | Path) -> Motion:
    values: dict[str, object] = {}
    for field in dataclasses.fields(kind):
        if field.name not in members:
            if field.default is dataclasses.MISSING:
                raise FileFormatError(path, f"the array '{field.name}' is missing.")
            continue
        array = members[field.name]
        wanted = {"names": "U", "source": "U", "parents": "i"}.get(field.name, "f")
        shape_fits = array.ndim == {"names": 1, "source": 0}.get(field.name, array.ndim)
        if array.dtype.kind != wanted or not shape_fits:
            raise FileFormatError(
                path,
                f"the array '{field.name}' must not have the type {array.dtype} and the shape {array.shape}.",
            )
        values[field.name] = tuple(array.tolist()) if field.name == "names" else array
        if field.name == "source":
            values["source"] = str(array)
    try:
        with np.errstate(all="ignore"):  # damaged numbers may overflow inside the checks that refuse them
            motion: Motion = kind(**values)  # type: ignore[arg-type]
            return motion
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _check_column_units(members: Members, path: str | Path) -> None:
    """Refuses a file whose columns somebody else wrote in other units, degrees above all."""
    units = members.get("column_units")
    if units is None:
        return
    odd = sorted(set(map(str, units.ravel().tolist())) - {"", "rad", "m", "1"})
    if odd:
        raise FileFormatError(path, f"a column in the unit {odd[0][:40]!r}; an .npz is in rad and m.")


def _text_array(value: str | tuple[str, ...] | list[str]) -> np.ndarray:
    texts = [value] if isinstance(value, str) else list(value)
    for text in texts:
        if text.endswith("\0"):  # numpy pads text with null characters and takes them off again
            raise MotionError(f"The text {text!r} ends in a null character, which an .npz cannot hold.")
    return np.array(value if isinstance(value, str) else texts, dtype=np.str_)


def _rate(times: np.ndarray) -> float:
    steps = np.diff(times)
    if len(steps) == 0 or np.ptp(steps) > 1e-6 * steps.mean():
        return float("nan")
    return float(1.0 / steps.mean())
