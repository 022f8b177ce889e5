"""A USD file opened: prims, their places in metres with z up, and errors that name the prim."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import AnimatoError, FileFormatError, missing_dependency
from animato.formats.files import LARGEST, read_bytes_whole
from animato.formats.usd.rehearsal import MAX_PRIMS, Rehearsal, explained
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

LARGEST_FILE = 256_000_000  # bytes
_FROM_Y_UP = quaternions.quaternion_about((1.0, 0.0, 0.0), np.pi / 2.0)


@dataclass(frozen=True, eq=False)
class Placed:
    """Where a prim is: T_world_prim in metres with z up, and the scale of its own axes, [3]."""

    transform: RigidTransform
    scale: np.ndarray


@dataclass(frozen=True, eq=False)
class UsdStage:
    """An open stage.

    Attributes:
        path: The file, for errors.
        stage: The `Usd.Stage`.
        pxr: The package, with Usd, UsdGeom, UsdPhysics and Gf imported.
    """

    path: str | Path
    stage: Any
    pxr: Any

    @cached_property
    def metres(self) -> float:
        """Metres in one unit of length."""
        return self._unit("metersPerUnit", float(self.pxr.UsdGeom.GetStageMetersPerUnit(self.stage)))

    @cached_property
    def kilograms(self) -> float:
        """Kilograms in one unit of mass."""
        return self._unit("kilogramsPerUnit", float(self.pxr.UsdPhysics.GetStageKilogramsPerUnit(self.stage)))

    def _unit(self, name: str, value: float) -> float:
        if not 1e-9 <= value <= 1e9:
            raise FileFormatError(self.path, f"{name} is {value}, which is no unit; metres are 1, centimetres 0.01.")
        return value

    @cached_property
    def world(self) -> RigidTransform:
        """T_world_stage: turns a stage whose up is y."""
        up = str(self.pxr.UsdGeom.GetStageUpAxis(self.stage))
        return RigidTransform((0.0, 0.0, 0.0), _FROM_Y_UP) if up == "Y" else RigidTransform()

    @cached_property
    def prims(self) -> tuple[Any, ...]:
        """All active prims, parents first, those of instances included."""
        usd = self.pxr.Usd
        found = []
        for prim in usd.PrimRange(self.stage.GetPseudoRoot(), usd.TraverseInstanceProxies()):
            found.append(prim)
            if len(found) > MAX_PRIMS:
                raise FileFormatError(self.path, f"it holds more than {MAX_PRIMS} prims; keep one robot in the file.")
        return tuple(found)

    @cached_property
    def _cache(self) -> Any:
        return self.pxr.UsdGeom.XformCache()

    def placed(self, prim: Any) -> Placed:
        """Where a prim is.

        Raises:
            FileFormatError: It is mirrored, skewed or flattened.
        """
        matrix = np.array(self._cache.GetLocalToWorldTransform(prim), dtype=np.float64).T
        scale = np.linalg.norm(matrix[:3, :3], axis=0)
        if not np.isfinite(matrix).all() or np.abs(matrix).max() > LARGEST or scale.min() < 1e-9:
            raise self.error(prim, "its transform is not finite, or flattens it; correct its xformOps.")
        rotation = matrix[:3, :3] / scale
        if np.abs(rotation.T @ rotation - np.eye(3)).max() > 1e-6 or np.linalg.det(rotation) < 0.0:
            raise self.error(prim, "it is mirrored or skewed; apply the scale to its geometry instead.")
        place = RigidTransform(matrix[:3, 3] * self.metres, quaternions.quaternion_from_matrix(rotation))
        return Placed(self.world @ place, scale)

    def value(self, prim: Any, name: str) -> Any:
        """What a file states for an attribute, or None where it states nothing."""
        attribute = prim.GetAttribute(name)
        return attribute.Get() if attribute and attribute.HasAuthoredValue() else None

    def number(self, prim: Any, name: str, default: float | None = None) -> float | None:
        """A stated number; the default where none is stated or it is infinite."""
        number = self.bound(prim, name)
        return default if number is None or np.isinf(number) else number

    def bound(self, prim: Any, name: str) -> float | None:
        """A stated number, which may be infinite; None where none is stated."""
        value = self.value(prim, name)
        return None if value is None else self._checked(prim, name, (value,), 1)[0]

    def numbers(self, prim: Any, name: str, count: int) -> tuple[float, ...] | None:
        """So many stated numbers; None where they are not stated or one is infinite, which leaves them open."""
        value = self.value(prim, name)
        if value is None:
            return None
        numbers = self._checked(prim, name, value, count)
        return numbers if np.isfinite(numbers).all() else None

    def size(self, prim: Any, name: str) -> float:
        """A number that is stated or has a default in USD's own schema, such as the radius of a sphere."""
        return self._checked(prim, name, (prim.GetAttribute(name).Get(),), 1)[0]

    def quaternion(self, prim: Any, name: str) -> np.ndarray:
        """A stated turn as a unit quaternion wxyz; none where nothing or zero is stated."""
        value = self.value(prim, name)
        if value is None:
            return np.array((1.0, 0.0, 0.0, 0.0))
        if not hasattr(value, "GetImaginary"):
            raise self.error(prim, f"'{name}' must be a quaternion.")
        wxyz = self._checked(prim, name, (value.GetReal(), *value.GetImaginary()), 4)
        if not np.isfinite(wxyz).all():
            raise self.error(prim, f"'{name}' must be finite.")
        return quaternions.normalized(np.array(wxyz))

    def word(self, prim: Any, name: str, allowed: tuple[str, ...]) -> str:
        """One of some words; the first where none is stated."""
        value = prim.GetAttribute(name).Get() or allowed[0]
        if value not in allowed:
            raise self.error(prim, f"'{name}' must be one of {', '.join(allowed)}, not {str(value)[:40]!r}.")
        return str(value)

    def _checked(self, prim: Any, name: str, values: Any, count: int) -> tuple[float, ...]:
        try:
            numbers = tuple(float(one) for one in values)
        except (TypeError, ValueError):
            numbers = ()
        if len(numbers) != count:
            wanted = "a number" if count == 1 else f"{count} numbers"
            raise self.error(prim, f"'{name}' must be {wanted} of the type that UsdPhysics gives it.")
        for number in numbers:
            if np.isnan(number) or (np.isfinite(number) and abs(number) > LARGEST):
                raise self.error(prim, f"'{name}' is {number}; give a number of a possible size.")
        return numbers

    def error(self, prim: Any, message: str) -> FileFormatError:
        """An error at a prim."""
        path = str(prim.GetPath())
        return FileFormatError(self.path, f"{path if len(path) <= 300 else '...' + path[-300:]}: {message[:1500]}")

    @contextmanager
    def at(self, prim: Any) -> Iterator[None]:
        """Gives errors that know no file the prim that is being read."""
        try:
            yield
        except FileFormatError:
            raise
        except AnimatoError as error:
            raise self.error(prim, str(error)) from None


def schemas_of(prim: Any) -> tuple[str, ...]:
    """Names of all API schemas that a file applies to a prim, those that OpenUSD does not know too."""
    return tuple(str(one) for one in prim.GetPrimTypeInfo().GetAppliedAPISchemas())


def opened_stage(path: str | Path) -> UsdStage:
    """Opens a USD file (.usda, .usd, .usdc, .usdz).

    Files that it refers to and that are not there are left out, as USD itself does; so a robot whose
    meshes are elsewhere can be read.

    Raises:
        MissingDependencyError: OpenUSD is not installed.
        FileFormatError: It is not there, or no USD file.
    """
    try:
        import pxr
    except ImportError:
        raise missing_dependency("usd-core", "usd", "Reading USD") from None
    data = read_bytes_whole(path, largest=LARGEST_FILE)  # says in our words why a file cannot be read
    rehearsal = Rehearsal(path, data)  # in a second process, while this one loads OpenUSD
    from pxr import Gf, Tf, Usd, UsdGeom, UsdPhysics, UsdUtils  # noqa: F401 - attributes of pxr from here on

    rehearsal.finish()
    quiet = UsdUtils.CoalescingDiagnosticDelegate()  # takes what would be printed about absent files
    try:
        stage = Usd.Stage.Open(str(Path(path).absolute()))
    except Tf.ErrorException as error:
        raise explained(str(error), path) from None
    finally:
        quiet.TakeUncoalescedDiagnostics()
        del quiet
    if stage is None:
        raise FileFormatError(path, "OpenUSD cannot open it; is it a USD file?")
    return UsdStage(path, stage, pxr)
