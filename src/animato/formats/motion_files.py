"""Motion from and into files, by their suffix.

| suffix | holds | read by | lost when written |
|---|---|---|---|
| .npz | everything; joints of a body model | `npz`, `body_joints` | nothing |
| .npz | motion of robots, of training tools | `training` | not written here, but by `stage.exporting` |
| .csv | clips, strokes, markers | `point_csv`, `clip_csv` | nothing |
| .csv | motion of robots: BONES-SEED's, Unitree's, Kimodo's | `training` | not written here, but by `stage.exporting` |
| .bvh | captured skeletons | `bvh` | what the writer returns in words |
| .amc | captured skeletons, with an .asf beside it | `amc`, `asf` | not written |
| .glb | captured skeletons | `glb` | not written |
| .trc | markers | `trc` | not written |
| .c3d | markers | `c3d` | not written |
| .npy | bare arrays, as clips of a character | `npy_clip` | not written |
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError, unknown_name
from animato.formats.files import is_folder, is_there, write_whole
from animato.formats.reading import MotionReading
from animato.library import LIBRARY
from animato.motion import CapturedMotion, Clip, MarkerMotion, Motion, Stroke

READ_SUFFIXES = (".npz", ".csv", ".tsv", ".bvh", ".amc", ".glb", ".trc", ".c3d", ".npy")
WRITTEN_SUFFIXES = (".npz", ".csv", ".bvh")

_SHIPPED = LIBRARY / "clips"


def load_motion(path: str | Path, **how: Unpack[MotionReading]) -> Motion:
    """Reads any motion file.

    Args:
        path: The file; its suffix tells the format. Or the name of a clip that comes with animato.
        **how: What the file does not say about itself, see `MotionReading`: `metres_per_unit`, `up_axis` and
            `first_frame` for BVH, `skeleton`, `metres_per_unit`, `up_axis` and `rate_hz` for AMC, `animation` and
            `rate_hz` for GLB, `kind` and `rate_hz` for CSV, `up_axis` for TRC and C3D, `up_axis` and `rate_hz` for
            joints of a body model in an .npz.

    Raises:
        FileFormatError: The suffix is not known, or the file cannot be read as what it claims to be.
        OptionError: The reader of that format has no such option.
    """
    path = _shipped().get(str(path), path)
    reader = _reader(path)
    allowed = [name for name, one in inspect.signature(reader).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in how:
        if name not in allowed:
            choice = ", ".join(f"`{one}`" for one in allowed) or "none"
            raise OptionError(f"`{name}` does not exist for {Path(path).suffix} files; options: {choice}.")
    motion: Motion = reader(path, **how)
    return motion


def shipped_clips() -> tuple[str, ...]:
    """Names of the clips that come with animato, sorted."""
    return tuple(sorted(_shipped()))


def _shipped() -> dict[str, Path]:
    """Files of the clips that come with animato, by name: animations and captures."""
    return {file.stem: file for suffix in (".csv", ".bvh") for file in _SHIPPED.glob(f"*{suffix}")}


def save_motion(path: str | Path, motion: Motion, character: Character | None = None) -> tuple[str, ...]:
    """Writes a motion whole or not at all.

    Args:
        path: The file; its suffix tells the format.
        motion: What to write.
        character: Whose motion it is; tells the units that are written beside the numbers.

    Returns:
        What the file does not hold, in words; empty when it comes back bit for bit.

    Raises:
        MotionError: That format cannot hold this kind of motion.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in WRITTEN_SUFFIXES:
        raise MotionError(f"Cannot write '{path}': motion is written as {', '.join(WRITTEN_SUFFIXES)}.")
    if suffix == ".npz":
        from animato.formats.tables import save_npz

        save_npz(path, motion, character)
        return ()
    if suffix == ".bvh" and isinstance(motion, CapturedMotion):
        from animato.formats.capture import save_bvh

        return save_bvh(path, motion)
    if suffix == ".csv" and isinstance(motion, Clip | Stroke | MarkerMotion):
        write_whole(path, _csv_text(motion, character))
        return ()
    raise MotionError(
        f"Cannot write '{path}': {suffix} does not hold a {type(motion).__name__}. An .npz holds every motion."
    )


def _csv_text(motion: Clip | Stroke | MarkerMotion, character: Character | None) -> str:
    from animato.formats.tables import clip_csv_text, markers_csv_text, stroke_csv_text

    if isinstance(motion, Clip):
        return clip_csv_text(motion, character)
    return stroke_csv_text(motion) if isinstance(motion, Stroke) else markers_csv_text(motion)


def _reader(path: str | Path) -> Callable[..., Any]:
    """The function that reads a file of that suffix; readers are imported when they are needed."""
    suffix = Path(path).suffix.lower()
    if suffix == ".npz":
        from animato.formats.training import load_any_npz

        return load_any_npz
    if suffix in (".csv", ".tsv"):
        from animato.formats.training import load_any_csv

        return load_any_csv
    if suffix == ".bvh":
        from animato.formats.capture import load_bvh

        return load_bvh
    if suffix == ".amc":
        from animato.formats.capture import load_amc

        return load_amc
    if suffix == ".asf":
        raise FileFormatError(path, "this is a skeleton without motion; give the .amc file that moves it.")
    if suffix == ".glb":
        from animato.formats.capture import load_glb

        return load_glb
    if suffix == ".trc":
        from animato.formats.capture import load_trc

        return load_trc
    if suffix == ".c3d":
        from animato.formats.capture import load_c3d

        return load_c3d
    if suffix == ".npy":
        raise FileFormatError(path, "this is an array without names; say for which character its clip is wanted.")
    if suffix in (".pkl", ".pickle", ".joblib", ".pt", ".pth"):
        raise FileFormatError(
            path,
            "a pickle is a program and can do anything while it is read, so it is never read here. Where it comes from "
            "somebody you trust, load it in Python and save its arrays: numpy.savez('motion.npz', "
            "**{name: motion[name] for name in ('fps', 'root_pos', 'root_rot', 'dof_pos')}).",
        )
    if is_folder(path):
        raise FileFormatError(path, "this is a folder; give the path of a file in it.")
    if not suffix and not is_there(path):
        raise unknown_name("clip", str(path), shipped_clips(), "animato")
    given = f"files that end in '{suffix}' are" if suffix else "a file without a suffix is"
    raise FileFormatError(
        path,
        f"{given} not known as motion; allowed: {', '.join(READ_SUFFIXES)}. "
        f"Export .glb or .bvh from a 3D program, .csv from a spreadsheet.",
    )
