"""Reads files in a process of its own and says what came of each: run as a module by `fuzz`.

Each line on standard input is the name of a reader and a path; each answer is a line of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from animato.errors import AnimatoError, CharacterError
from animato.formats import load_character, load_motion
from animato.motion import CapturedMotion


def _character(path: Path) -> object:
    return load_character(path)


def _loops(path: Path) -> object:
    return load_character(path.with_name("robot.urdf"), loops=path)


def _motion(path: Path) -> object:
    motion = load_motion(path)
    if isinstance(motion, CapturedMotion):
        motion.world_poses()
    return motion


def _skeleton(path: Path) -> object:
    return load_motion(path.with_name("walk.amc"), skeleton=path)


def _array(path: Path) -> object:
    from animato.formats.tables.npy_clip import load_npy_clip

    return load_npy_clip(path, load_character("lamp"), rate_hz=50.0)


def _robot(path: Path) -> object:
    from animato.loading import load_clip
    from benchmarks.fuzz_robots import ROBOT

    return load_clip(path, load_character(ROBOT))


def _robot_about(path: Path) -> object:
    return _robot(path.with_name("walk.csv"))


def _strokes(path: Path) -> object:
    from animato.formats.strokes import read_strokes

    return read_strokes(path)


def _targets(path: Path) -> object:
    from animato.design import load_targets

    return load_targets(path, load_character("lamp"))


def _mapping(path: Path) -> object:
    from animato.mimic.mapping import load_mapping

    return load_mapping(path)


def _contacts(path: Path) -> object:
    from animato.mimic.contacts import load_contacts

    return load_contacts(path)


def _target_lines(path: Path) -> object:
    from animato.express.sources import FileTargets

    return FileTargets.of_file(path, 50.0).poll(1e9)


def _mesh(path: Path) -> object:
    from animato.character import Body, Mesh, Shape, mass_properties_of
    from animato.view.scene.mesh_files import mesh_triangles

    mesh = Mesh(str(path))
    drawn = mesh_triangles(mesh)
    mass_properties_of(Body("part", density=1000.0, shapes=(Shape(mesh),)))
    if drawn is None:
        raise CharacterError("nothing can be drawn")
    return drawn


READERS: dict[str, Callable[[Path], object]] = {
    "character": _character,
    "loops": _loops,
    "motion": _motion,
    "skeleton": _skeleton,
    "array": _array,
    "robot": _robot,
    "robot_about": _robot_about,
    "strokes": _strokes,
    "targets": _targets,
    "mapping": _mapping,
    "contacts": _contacts,
    "target_lines": _target_lines,
    "mesh": _mesh,
}


def outcome(reader: str, path: Path) -> dict[str, object]:
    """What reading leads to: "read", "refused" by an error of the family, or "foreign"."""
    warnings.simplefilter("error")  # a warning of numpy on the terminal is nobody's answer
    np.seterr(all="warn", under="ignore")  # as numpy has it
    began = time.process_time()
    what, said = "read", ""
    try:
        READERS[reader](path)
    except AnimatoError as error:
        what, said = "refused", str(error)
        if not said.strip() or len(said) > 2500:
            what, said = "foreign", f"a message of {len(said)} characters: {said[:200]!r}"
    except MemoryError:
        what, said = "hang", "MemoryError"
    except Exception as error:  # what the fuzzer looks for
        place = traceback.extract_tb(error.__traceback__)[-1]
        what, said = (
            "foreign",
            f"{type(error).__name__}: {str(error)[:200]} ({Path(place.filename).name}:{place.lineno})",
        )
    return {"what": what, "said": said, "seconds": time.process_time() - began}


def _peak() -> int:
    """Most memory since the last call [bytes]."""
    with contextlib.suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as status:
        peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        return peak
    return 0


def main() -> None:
    """Answers until there are no more questions."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # libraries print what they like
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with contextlib.suppress(Exception):
        load_character("lamp")
    for line in sys.stdin:
        reader, _, path = line.rstrip("\n").partition("\t")
        before = _peak()
        answer = outcome(reader, Path(path))
        answer["bytes"] = max(_peak() - before, 0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
