"""Reduced parts on disk, by what they were made of.

    <cache folder>/parts/<key>.npz

A key is a digest of mesh, materials, interfaces, options, snapshots, the version and the sources of this package's
flexible parts, so that nothing under a key is ever wrong. A file that cannot be read is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from animato.kernels.cache_folder import cache_root, mark_used
from animato.mechanics.flexible.interface import interface_map
from animato.mechanics.flexible.mesh import PartMesh
from animato.mechanics.flexible.reduction.inertia_integrals import InertiaIntegrals
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces, PolynomialForces, ReducedPart
from animato.version import __version__

_MOST = 64
"""Files that are kept, those used last."""


def part_key(mesh: PartMesh, options: str, *arrays: np.ndarray | None) -> str:
    """The digest of all that a reduced part is made of."""
    total = hashlib.sha256(f"{__version__} {_sources()} {options} {mesh.materials!r} {mesh.name}".encode())
    several = [mesh.nodes, mesh.tets, mesh.material_of, *arrays]
    for one in mesh.interfaces:
        total.update(one.name.encode())
        several += [one.nodes, one.weights]
    for array in several:
        total.update(b"none" if array is None else repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:32]


def kept_part(key: str, mesh: PartMesh, make: Callable[[], ReducedPart]) -> ReducedPart:
    """The part of a key from disk, or made and kept there."""
    root = cache_root()
    path = None if root is None else root / "parts" / f"{key}.npz"
    if path is not None and path.exists():
        with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
            found = _loaded(path, mesh)
            mark_used(path)
            return found
    part = make()
    if path is not None:
        with contextlib.suppress(OSError):
            _save(path, part)
            _clean(path.parent)
    return part


@cache
def _sources() -> str:
    """A digest of the sources of all rooms of flexible parts."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.parent.rglob("*.py")):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()


def _save(path: Path, part: ReducedPart) -> None:
    """Writes a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    held = {
        "basis": part.basis,
        "mass": np.array(part.integrals.mass),
        "first": part.integrals.first,
        "second": part.integrals.second,
        "stiffness": part.stiffness,
        "damping": part.damping,
        "provenance": np.frombuffer(json.dumps(part.provenance).encode(), dtype=np.uint8),
    }
    if isinstance(part.forces, PolynomialForces):
        held |= {"mixed": part.forces.mixed, "quartic": part.forces.quartic}
    if isinstance(part.forces, CubatureForces):
        forces = part.forces
        held |= {"gradients": forces.gradients, "weights": forces.weights, "models": forces.models, "lame": forces.lame}
        held["errors"] = np.array([forces.training_error, forces.test_error])
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **held)  # type: ignore[arg-type]
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _loaded(path: Path, mesh: PartMesh) -> ReducedPart:
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        held = {name: file[name] for name in file.files}
    forces: PolynomialForces | CubatureForces | None = None
    if "quartic" in held:
        forces = PolynomialForces(held["mixed"], held["quartic"])
    elif "weights" in held:
        training, test = (float(one) for one in held["errors"])
        forces = CubatureForces(held["gradients"], held["weights"], held["models"], held["lame"], training, test)
    return ReducedPart(
        name=mesh.name,
        nodes=mesh.nodes,
        surface=mesh.surface,
        basis=held["basis"],
        interface_names=tuple(one.name for one in mesh.interfaces),
        interfaces=tuple(interface_map(mesh.nodes, one.nodes, one.weights) for one in mesh.interfaces),
        integrals=InertiaIntegrals(float(held["mass"]), held["first"], held["second"]),
        stiffness=held["stiffness"],
        damping=held["damping"],
        forces=forces,
        provenance=json.loads(held["provenance"].tobytes()),
    )


def _clean(folder: Path) -> None:
    """Throws away all but the files that were used last."""
    used = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in used[_MOST:]:
        path.unlink(missing_ok=True)
