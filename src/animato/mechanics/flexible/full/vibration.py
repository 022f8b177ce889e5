"""Vibration modes of a full part with its bodies, about rest or a loaded shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.flexible.elements import Elements
from animato.mechanics.flexible.full.base_motion import LocalBase, resting_base
from animato.mechanics.flexible.full.clamped_body import ClampedBody
from animato.mechanics.flexible.full.constrained_factor import factor_with_conditions
from animato.mechanics.flexible.full.full_part import FullPart, build_full_part
from animato.mechanics.flexible.mesh import PartMesh


@dataclass(frozen=True)
class FullModes:
    """Modes of small undamped vibration.

    Attributes:
        frequencies: [Hz], ascending, shape [mode].
        shapes: Displacements, of unit modal mass [1/sqrt(kg)], shape [mode, node, 3].
    """

    frequencies: np.ndarray
    shapes: np.ndarray


def full_modes(
    part: PartMesh | Elements | FullPart,
    bodies: tuple[ClampedBody, ...] = (),
    *,
    count: int = 6,
    base: LocalBase | None = None,
    about: np.ndarray | None = None,
) -> FullModes:
    """The lowest modes with the reference interface held: eigenvectors by Lanczos on the inverse.

    Args:
        part: With at least one interface; the first is held.
        bodies: What rides on the others (not where `part` is a `FullPart`, which has them).
        count: Number of modes.
        base: Gravity and lift that the part feels, whose tension and pressure count; None for none.
        about: Displacements of the shape that vibrates [m], shape [node, 3]; None for rest.
    """
    from scipy.sparse.linalg import LinearOperator, eigsh

    full = part if isinstance(part, FullPart) else build_full_part(part, bodies)
    motion = resting_base(gravity=(0.0, 0.0, 0.0)).at(0) if base is None else base
    u = np.zeros((full.mesh.node_count, 3)) if about is None else np.asarray(about, dtype=np.float64).reshape(-1, 3)
    still = np.zeros_like(u)
    stiffness = full.matrix(u, still, still, motion, (0.0, 0.0))
    mass = full.mass_matrix(u)
    factor = factor_with_conditions(full, stiffness)
    size = 3 * full.mesh.node_count
    inverse = LinearOperator((size, size), matvec=lambda r: factor.solve(r).ravel(), dtype=np.float64)
    start = factor.solve(np.random.default_rng(0).standard_normal((full.mesh.node_count, 3))).ravel()
    values, vectors = eigsh(stiffness, k=count, M=mass, sigma=0.0, OPinv=inverse, v0=start, which="LM")
    order = np.argsort(values)
    frequencies = np.sqrt(np.maximum(values[order], 0.0)) / (2.0 * np.pi)
    return FullModes(frequencies, vectors.T[order].reshape(count, -1, 3))
