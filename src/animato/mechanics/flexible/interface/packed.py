"""Interfaces of reduced parts as plain arrays, which the kernels take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from animato.mechanics.flexible.interface.interface_map import InterfaceMap


class PackedInterfaces(NamedTuple):
    """Arrays over far interfaces (i), and over the modes of each of them one after the other.

    Attributes:
        first: First mode of each interface in the two arrays of modes, and at last their count, [i + 1].
        shift: Displacement of the centroid per unit of a mode, in the part's frame, [mode, 3].
        linear: Change of the linear map A per unit of a mode, row by row, [9 mode].
        rest: A at rest, row by row, [9 i].
        normal: Of a flat interface, else zero, [i, 3].
    """

    first: np.ndarray
    shift: np.ndarray
    linear: np.ndarray
    rest: np.ndarray
    normal: np.ndarray


def pack_interfaces(interfaces: Sequence[tuple[InterfaceMap, np.ndarray]]) -> PackedInterfaces:
    """Packs interfaces, each with the basis of its part.

    Args:
        interfaces: Far interfaces and the bases, [node, 3, mode] each.
    """
    first, shift, linear = [0], [np.zeros((0, 3))], [np.zeros(0)]
    for one, basis in interfaces:
        modes = np.ascontiguousarray(np.moveaxis(basis, -1, 0))
        first.append(first[-1] + len(modes))
        shift.append(one.centroid_of(modes))
        linear.append(one.linear_part_of(modes).ravel())
    return PackedInterfaces(
        first=np.array(first, dtype=np.int64),
        shift=np.concatenate(shift),
        linear=np.concatenate(linear),
        rest=np.array([one.rest for one, _ in interfaces], dtype=float).ravel(),
        normal=np.array([one.normal for one, _ in interfaces], dtype=float).reshape(-1, 3),
    )
