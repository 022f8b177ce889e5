"""Strokes from files and by name.

| suffix | holds | names |
|---|---|---|
| .json | strokes with times and pressure | stated |
| .csv, .tsv | one stroke, or markers | none, or those of the markers |
| .npz | one stroke, or markers | none, or those of the markers |
| .svg | lines of a drawing, no times | ids |
| .trc, .bvh, .glb | markers or a skeleton | markers or bones |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from animato.errors import FileFormatError, MotionError, OptionError, unknown_name
from animato.formats.files import is_folder, is_there
from animato.formats.motion_files import load_motion
from animato.formats.reading import MotionReading
from animato.formats.strokes.json_strokes import UNNAMED, load_stroke_json
from animato.library import LIBRARY
from animato.motion import CapturedMotion, MarkerMotion, Stroke, strokes_from_capture

READ_SUFFIXES = (".json", ".csv", ".tsv", ".svg", ".npz", ".bvh", ".glb", ".trc")

_SHIPPED = LIBRARY / "strokes"


def shipped_strokes() -> tuple[str, ...]:
    """Names of the strokes that come with animato, sorted."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.json")))


class StrokeFileReading(MotionReading, total=False):
    """What readers of strokes can be told about files that do not say everything about themselves.

    Attributes:
        bones: Of a capture: the bone or marker to follow, by name of the robot's point; all of them where not given.
        relative_to: Of a capture: the bone or marker whose way over the floor is taken out of all strokes.
        path_ids: Of SVG: ids of the shapes to take, in this order; all of them, as drawn, where not given.
        join: Of SVG: whether shapes become one stroke.
    """

    bones: Mapping[str, str]
    relative_to: str
    path_ids: Sequence[str]
    join: bool


def read_strokes(path: str | Path, **how: Unpack[StrokeFileReading]) -> dict[str, Stroke]:
    """All strokes of a file, or those that come with animato under a name ("hello"), by name.

    Args:
        path: The file; its suffix tells the format. Or a shipped stroke's name.
        **how: What the file does not say about itself: `metres_per_unit` for JSON; `metres_per_unit`, `path_ids` and
            `join` for SVG; `metres_per_unit` and `rate_hz` for a stroke in a table; `bones`, `relative_to` and those
            of `load_motion` for the others.

    Raises:
        FileFormatError: The suffix is not known, or the file cannot be read as what it claims to be.
        OptionError: The reader of that format has no such option.
    """
    if str(path) in shipped_strokes():
        path = _SHIPPED / f"{path}.json"
    suffix = Path(path).suffix.lower()
    if suffix not in READ_SUFFIXES:
        raise _not_a_stroke(path, suffix)
    if suffix in (".json", ".svg"):
        return _drawing(path, suffix, how)
    bones, relative_to = how.pop("bones", None), how.pop("relative_to", None)
    table = _table(path, suffix, how)
    if table is not None:
        return {UNNAMED: table}
    motion = load_motion(path, **how)  # type: ignore[misc]  # its reader refuses what it does not know
    if isinstance(motion, Stroke):
        return {UNNAMED: motion}
    if isinstance(motion, CapturedMotion | MarkerMotion):
        wanted = bones or {name: name for name in motion.names}
        return strokes_from_capture(motion, wanted, relative_to=relative_to)
    raise FileFormatError(
        path,
        f"this is a {type(motion).__name__.lower()}, not a stroke. A stroke has the columns x and y, and perhaps z, "
        "time, pressure and pen_down.",
    )


def read_stroke(path: str | Path, *, name: str | None = None, **how: Unpack[StrokeFileReading]) -> Stroke:
    """One stroke of a file, or one that comes with animato.

    Args:
        path: As for `read_strokes`.
        name: Which one, where there are several.
        **how: As for `read_strokes`.

    Raises:
        MotionError: There are several and none was named.
    """
    strokes = read_strokes(path, **how)
    if name is None and len(strokes) > 1:
        shown = ", ".join(list(strokes)[:40]) + (", ..." if len(strokes) > 40 else "")
        raise MotionError(f"'{path}' holds {len(strokes)} strokes; name one of them: {shown}.")
    if name is not None and name not in strokes:
        raise unknown_name("stroke", name, strokes, Path(path).name)
    return strokes[name] if name is not None else next(iter(strokes.values()))


def _drawing(path: str | Path, suffix: str, how: StrokeFileReading) -> dict[str, Stroke]:
    from animato.formats.strokes.svg_strokes import load_stroke_svg

    if "bones" in how or "relative_to" in how:
        raise OptionError(f"`bones` are those of a capture; '{path}' is a drawing.")
    allowed = ("metres_per_unit",) if suffix == ".json" else ("metres_per_unit", "path_ids", "join")
    for name in how:
        if name not in allowed:
            choice = ", ".join(f"`{one}`" for one in allowed)
            raise OptionError(f"`{name}` does not exist for {suffix} files; options: {choice}.")
    unit = how.get("metres_per_unit")
    if suffix == ".json":
        return load_stroke_json(path, metres_per_unit=unit)
    return load_stroke_svg(path, metres_per_unit=unit, path_ids=how.get("path_ids", ()), join=how.get("join", True))


def _table(path: str | Path, suffix: str, how: StrokeFileReading) -> Stroke | None:
    """A stroke in a table; None where it is something else."""
    from animato.formats.strokes.csv_strokes import load_stroke_csv

    kind = how.get("kind")
    others = [name for name in how if name not in ("kind", "metres_per_unit", "rate_hz")]
    if suffix not in (".csv", ".tsv") or kind not in (None, "stroke") or others:
        return None
    unit, rate = how.get("metres_per_unit"), how.get("rate_hz")
    return load_stroke_csv(path, metres_per_unit=unit, rate_hz=rate, sure=kind == "stroke")


def _not_a_stroke(path: str | Path, suffix: str) -> Exception:
    if is_folder(path):
        return FileFormatError(path, "this is a folder; give the path of a file in it.")
    if not suffix and not is_there(path):
        return unknown_name("stroke", str(path), shipped_strokes(), "animato")
    given = f"files that end in '{suffix}' are" if suffix else "a file without a suffix is"
    return FileFormatError(path, f"{given} not known as strokes; allowed: {', '.join(READ_SUFFIXES)}.")
