"""An MJCF file compiled by MuJoCo, meshes taken out where only their name is needed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError, missing_dependency
from animato.formats.files import LARGEST
from animato.formats.mjcf.document import MjcfDocument
from animato.formats.mjcf.meshes import PlacedMesh, compiled_meshes, meshes_taken_out, without_collision

_NUMBERS = [
    "body_pos",
    "body_quat",
    "body_ipos",
    "body_iquat",
    "body_mass",
    "body_inertia",
    "geom_pos",
    "geom_quat",
    "geom_size",
    "geom_rgba",
    "mat_rgba",
    "jnt_pos",
    "jnt_axis",
    "jnt_range",
    "jnt_actfrcrange",
    "qpos0",
    "dof_damping",
    "dof_frictionloss",
    "dof_armature",
    "site_pos",
    "site_quat",
    "key_qpos",
    "actuator_gear",
    "actuator_forcerange",
    "actuator_ctrlrange",
    "actuator_gainprm",
    "actuator_armature",
    "actuator_damping",
    "eq_data",
]


@dataclass(frozen=True, eq=False)
class MjcfModel:
    """A compiled model.

    Attributes:
        mujoco: The package.
        arrays: The `mujoco.MjModel`.
        meshes: Of each geom that is a mesh: the mesh, and T_geom_file of its vertices.
        collides: Whether a geom collides, where the arrays do not say so.
    """

    mujoco: Any
    arrays: Any
    meshes: dict[int, PlacedMesh]
    collides: dict[int, bool]

    def name(self, kind: str, index: int) -> str:
        """The name of a "BODY", "JOINT", "SITE"...; empty where it has none."""
        found = self.mujoco.mj_id2name(self.arrays, getattr(self.mujoco.mjtObj, f"mjOBJ_{kind}"), index)
        return str(found or "")


def compiled(document: MjcfDocument, path: str | Path) -> MjcfModel:
    """Compiles a document.

    Args:
        document: The reduced file.
        path: The file, for errors.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        FileFormatError: MuJoCo refuses it; its message and, where it gives one, the line are kept.
    """
    try:
        import mujoco
    except ImportError:
        raise missing_dependency("mujoco", "robots", "Reading MJCF") from None
    with _without_warnings(mujoco):
        try:
            spec = mujoco.MjSpec.from_string(document.text)
            named = meshes_taken_out(mujoco, spec, document, path)
            collides = without_collision(spec)
            # A file may reserve any amount of memory for a simulation that does not take place here.
            spec.memory = spec.nconmax = spec.njmax = spec.nstack = -1
            model = spec.compile()
        except FileFormatError:
            raise
        except Exception as error:  # ValueError, FatalError and whatever else the compiler's bindings raise
            raise _explained(str(error), document, path) from None
    _check_numbers(model, path)
    meshes = {geom.id: (mesh, transform) for geom, mesh, transform in named}
    meshes |= compiled_meshes(mujoco, model, spec, document, path, meshes)
    return MjcfModel(mujoco, model, meshes, {geom.id: flag for geom, flag in collides})


@contextmanager
def _without_warnings(mujoco: Any) -> Iterator[None]:
    """Keeps MuJoCo from printing, and from writing a log file into the current folder."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _message: None)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        mujoco.set_mju_user_warning(before)


def _explained(message: str, document: MjcfDocument, path: str | Path) -> FileFormatError:
    """MuJoCo's message on one line, with the line of the file instead of that of the reduced text."""
    lines = [int(number) for number in re.findall(r"\bline (\d+)", message, re.IGNORECASE)]
    place: tuple[str, int | None] = (str(path), None)
    if lines and 1 <= lines[-1] <= len(document.places):
        place = document.places[lines[-1] - 1]
    text = re.sub(r",?\s*\bline (number=)?\d+:?", "", message, flags=re.IGNORECASE)
    text = re.sub(r"^((XML )?Error:\s*)+", "", " ".join(text.split()))
    text = re.sub(r"\s*Element name '', id \d+", "", text)
    text = re.sub(r"\s*Element (?:name )?'([^']+)'(?:, id \d+)?", r" (element '\1')", text)
    return FileFormatError(place[0], f"MuJoCo cannot compile it: {text.rstrip('.')}.", place[1])


def _check_numbers(model: Any, path: str | Path) -> None:
    """MuJoCo compiles numbers that are not finite or absurdly large; nothing can be done with those."""
    for name in _NUMBERS:
        values = getattr(model, name, np.zeros(0))
        if values.size and not float(np.abs(values).max()) <= LARGEST:
            what = name.replace("_", " ")
            raise FileFormatError(path, f"a number ({what}) is not finite or larger than {LARGEST:.0e}.")
