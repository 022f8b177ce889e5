"""Fills a closed surface with tetrahedra, by an optional mesher."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from animato.errors import FileFormatError, MissingDependencyError


def fill_surface(
    path: str | Path, points: np.ndarray, triangles: np.ndarray, *, edge_length: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Tetrahedra within a closed surface, by fTetWild (Hu et al.: Fast Tetrahedral Meshing in the Wild, 2020).

    Args:
        path: The file that it is from, for messages.
        points: [m], shape [point, 3]; points may be there several times, as in STL.
        triangles: Shape [triangle, 3].
        edge_length: About how long edges become [m]; None for a twentieth of the diagonal of the surface's box.

    Returns:
        Nodes [m], shape [node, 3], and corners [element, 4], of positive volume.
    """
    points, triangles = _merged(points, triangles)
    _refuse_open(path, triangles)
    try:
        import wildmeshing
    except ImportError as missing:
        raise MissingDependencyError(
            f"'{path}' is a surface; to fill it with tetrahedra needs the package 'wildmeshing', which is not "
            "installed. Install it with: pip install 'animato[meshing]'. Or give a mesh of the volume (.msh, .vtu)."
        ) from missing
    share = 1.0 / 20.0 if edge_length is None else edge_length / float(np.linalg.norm(np.ptp(points, axis=0)))
    with _silent(), _ctrl_c_kept(), TemporaryDirectory() as folder, chdir(folder):  # it leaves a file where it works
        mesher = wildmeshing.Tetrahedralizer(edge_length_r=share, max_threads=1)
        mesher.set_mesh(np.ascontiguousarray(points), np.ascontiguousarray(triangles, dtype=np.int32))
        mesher.tetrahedralize()
        nodes, corners = mesher.get_tet_mesh()[:2]
    nodes, corners = np.asarray(nodes, dtype=np.float64), np.asarray(corners, dtype=np.int64)
    if len(corners) == 0:
        raise FileFormatError(path, "no tetrahedra fit into this surface; is it closed, and do its triangles face out?")
    volumes = np.linalg.det(nodes[corners[:, 1:]] - nodes[corners[:, :1]])
    corners = corners[np.abs(volumes) > 0.0]
    wrong = volumes[np.abs(volumes) > 0.0] < 0.0
    corners[wrong] = corners[wrong][:, [0, 2, 1, 3]]
    used, compact = np.unique(corners, return_inverse=True)
    return nodes[used], compact.reshape(corners.shape)


def _merged(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same surface with each point once and no triangle of two equal corners."""
    grid = 1e-7 * float(np.linalg.norm(np.ptp(points, axis=0)))
    _, first, place = np.unique(np.round(points / grid), axis=0, return_index=True, return_inverse=True)
    triangles = place.reshape(-1)[triangles]
    distinct = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return points[first], triangles[distinct]


def _refuse_open(path: str | Path, triangles: np.ndarray) -> None:
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, counts = np.unique(edges, axis=0, return_counts=True)
    border = int((counts == 1).sum())
    if border:
        raise FileFormatError(
            path, f"the surface is open: {border} edges of {len(counts)} belong to one triangle only. Close its holes."
        )


@contextmanager
def _silent() -> Iterator[None]:
    """Keeps what the mesher prints off the terminal; it writes past Python's stdout."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def _ctrl_c_kept() -> Iterator[None]:
    """Gives Ctrl-C back to Python: the mesher leaves it to the system, which would end the program at once."""
    try:
        yield
    finally:
        heard = signal.getsignal(signal.SIGINT)
        if heard is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, heard)
