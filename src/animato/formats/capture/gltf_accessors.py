"""Numbers out of a glTF container. Every index, count and offset in it is checked before use."""

from __future__ import annotations

import math
import struct
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError, missing_dependency

LARGEST_NUMBER = 1e9  # larger lengths, factors or times can only be damage
_MOST_ROWS = 2_000_000
_LARGEST_JSON = 40_000_000  # bytes; what a file says about itself, apart from its numbers
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


@dataclass(frozen=True, eq=False)
class GltfFile:
    """A container that was opened.

    Attributes:
        path: The file, for errors.
        gltf: What pygltflib made of its JSON; no value in it is to be trusted.
        blob: Its binary part.
    """

    path: str | Path
    gltf: Any
    blob: bytes

    def item(self, things: str, index: object) -> Any:
        """One entry of a list of the file ("nodes", "accessors"), the index checked."""
        entries = self.entries(things)
        return entries[self.whole(index, f"an index into {things}", len(entries))]

    def entries(self, things: str) -> Sequence[Any]:
        """A list of the file, empty where it is missing; objects in it are what pygltflib made of them."""
        entries = getattr(self.gltf, things, None) or []
        if not isinstance(entries, list) or any(
            one is None or isinstance(one, str | int | float | list) for one in entries
        ):
            raise self.trouble(f"{things} is not a list of objects")
        return entries

    def whole(self, value: object, what: str, below: int) -> int:
        """A whole number from 0 to below `below`."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
            raise self.trouble(f"{what} must be a whole number from 0 to {below - 1}, not {str(value)[:40]!r}")
        return value

    def floats(self, value: object, length: int, what: str) -> np.ndarray:
        """So many finite numbers."""
        fits = isinstance(value, list | tuple) and len(value) == length
        try:
            numbers = [float(one) for one in value] if fits else []  # type: ignore[attr-defined]
        except (TypeError, ValueError, OverflowError):
            numbers = []
        if len(numbers) != length or not all(math.isfinite(one) and abs(one) < LARGEST_NUMBER for one in numbers):
            raise self.trouble(f"{what} must be {length} finite numbers, not {str(value)[:60]!r}")
        return np.array(numbers)

    def trouble(self, message: str) -> FileFormatError:
        """The error for this file."""
        return FileFormatError(self.path, f"{message}; the file is damaged or its exporter made a mistake.")

    def accessor(self, index: object, kind: str, what: str) -> np.ndarray:
        """The numbers of an accessor as float64, normalized and sparse ones included, shape [row, width].

        Args:
            index: Which one.
            kind: The type it must have: "SCALAR", "VEC3", "VEC4".
            what: Names it in errors.
        """
        accessor = self.item("accessors", index)
        if getattr(accessor, "type", None) != kind:
            raise self.trouble(f"{what} must be of the type {kind}, not {str(getattr(accessor, 'type', None))[:20]!r}")
        dtype = self._dtype(accessor.componentType)
        count = self.whole(accessor.count, f"the count of {what}", _MOST_ROWS + 1)
        width = _WIDTHS[kind]
        if accessor.bufferView is None:
            values = np.zeros((count, width), dtype=dtype)
        else:
            values = self._view(accessor.bufferView, accessor.byteOffset, count, width, dtype)
        sparse = getattr(accessor, "sparse", None)
        if sparse is not None:
            values = self._with_sparse(values, sparse, dtype)
        with np.errstate(invalid="ignore"):  # damage can be a signalling NaN
            numbers = values.astype(np.float64)
        if accessor.normalized and dtype.kind != "f":
            numbers = np.maximum(numbers / np.iinfo(dtype).max, -1.0)
        if not np.all(np.abs(numbers) < LARGEST_NUMBER):
            raise self.trouble(f"{what} holds numbers that are not finite")
        return numbers

    def _dtype(self, component: object) -> np.dtype[Any]:
        name = _COMPONENTS.get(component) if isinstance(component, int) else None
        if name is None:
            raise self.trouble(f"component type {str(component)[:20]!r} is not known")
        return np.dtype(name)

    def _view(self, view_index: object, offset: object, count: int, width: int, dtype: np.dtype[Any]) -> np.ndarray:
        """Rows of a buffer view, copied."""
        view = self.item("bufferViews", view_index)
        if view.buffer != 0 or getattr(self.item("buffers", 0), "uri", None):
            raise FileFormatError(self.path, "its data is in another file; export it as one binary .glb file.")
        size = len(self.blob)
        begin = self.whole(view.byteOffset or 0, "the offset of a buffer view", size + 1)
        length = self.whole(view.byteLength, "the length of a buffer view", size - begin + 1)
        within = self.whole(offset or 0, "the offset of an accessor", length + 1)
        row = width * dtype.itemsize
        stride = self.whole(view.byteStride or row, "a byte stride", 256)
        if stride < row or (count and (count - 1) * stride + row > length - within):
            raise self.trouble(f"an accessor of {count} rows does not fit into its {length} bytes")
        strides = (stride, dtype.itemsize)
        return np.ndarray((count, width), dtype, self.blob, begin + within, strides).copy()

    def _with_sparse(self, values: np.ndarray, sparse: Any, dtype: np.dtype[Any]) -> np.ndarray:
        count = self.whole(getattr(sparse, "count", None), "the count of a sparse accessor", len(values) + 1)
        places, news = getattr(sparse, "indices", None), getattr(sparse, "values", None)
        if places is None or news is None or not hasattr(places, "bufferView") or not hasattr(news, "bufferView"):
            raise self.trouble("a sparse accessor lacks its indices or values")
        kind = self._dtype(places.componentType)
        rows = self._view(places.bufferView, places.byteOffset, count, 1, kind)[:, 0]
        if kind.kind != "u" or (count and int(rows.max()) >= len(values)):
            raise self.trouble("an index of a sparse accessor is too large")
        values[rows.astype(np.int64)] = self._view(news.bufferView, news.byteOffset, count, values.shape[1], dtype)
        return values


def open_glb(data: bytes, path: str | Path) -> GltfFile:
    """Opens the content of a .glb file.

    Raises:
        MissingDependencyError: pygltflib is not installed.
        FileFormatError: It is not such a file.
    """
    try:
        from pygltflib import GLTF2
    except ImportError:
        raise missing_dependency("pygltflib", "glb", "Reading GLB") from None
    if data[:4] != b"glTF":
        raise FileFormatError(path, "this is not a binary glTF file; export it as 'glTF Binary (.glb)'.")
    described = struct.unpack_from("<I", data, 12)[0] if len(data) >= 20 else 0
    if described > _LARGEST_JSON:
        raise FileFormatError(path, f"its description has {described / 1e6:.0f} MB; at most {_LARGEST_JSON / 1e6:.0f}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gltf = GLTF2.load_from_bytes(data)
            blob = gltf.binary_blob()
    except Exception as error:  # the library lets through whatever a damaged file makes Python raise
        reason = str(error)[:100] or type(error).__name__
        raise FileFormatError(path, f"this is not a glTF file, or it is damaged: {reason}.") from None
    return GltfFile(path, gltf, blob if isinstance(blob, bytes) else b"")
