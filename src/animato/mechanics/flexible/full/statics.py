"""Shapes at rest: a full part under gravity and loads, by Newton's method with load steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.flexible.elements import Elements
from animato.mechanics.flexible.full.base_motion import LocalBase, resting_base
from animato.mechanics.flexible.full.clamped_body import ClampedBody, InterfaceWrench
from animato.mechanics.flexible.full.constrained_factor import factor_with_conditions
from animato.mechanics.flexible.full.full_part import FullPart, build_full_part
from animato.mechanics.flexible.mesh import PartMesh, jacobian_determinants

_MOST_ITERATIONS = 25
_LEAST_SHARE = 1e-4


@dataclass(frozen=True)
class FullStatics:
    """A shape at rest.

    Attributes:
        u: Displacements in the part's frame [m], shape [node, 3].
        positions: Centroids of all interfaces in that frame [m], shape [interface, 3].
        rotations: Their rotations, shape [interface, 3, 3].
        iterations: Of Newton's method, over all load steps.
    """

    u: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    iterations: int


def solve_full_statics(
    part: PartMesh | Elements | FullPart,
    bodies: tuple[ClampedBody, ...] = (),
    *,
    base: LocalBase | None = None,
    wrenches: tuple[InterfaceWrench, ...] = (),
    nodal: np.ndarray | None = None,
    start: np.ndarray | None = None,
    tolerance: float = 1e-10,
) -> FullStatics:
    """Finds the shape in which a part rests.

    Args:
        part: With at least one interface; the first is held.
        bodies: What rides on the others (not where `part` is a `FullPart`, which has them).
        base: How the part's frame moves, steadily; None for at rest without gravity.
        wrenches: Dead loads on interfaces.
        nodal: Dead loads on nodes [N], shape [node, 3].
        start: Displacements to start from [m]; then all load acts at once, and in steps only if that fails.
        tolerance: Of the last correction, as a share of the part's size.

    Raises:
        AnimatoError: No equilibrium was found, with the share of the load that was reached.
    """
    full = part if isinstance(part, FullPart) else build_full_part(part, bodies)
    motion = resting_base(gravity=(0.0, 0.0, 0.0)).at(0) if base is None else base
    size = float(np.ptp(full.mesh.nodes, axis=0).max())
    u = np.zeros((full.mesh.node_count, 3)) if start is None else np.array(start, dtype=np.float64).reshape(-1, 3)
    before, reached, share, total = u, 0.0, 1.0, 0
    last = 0.0
    while reached < 1.0:
        target = min(1.0, reached + share)
        guess = u if last == 0.0 else u + (u - before) * (target - reached) / last
        found, used = _equilibrium(
            full,
            guess,
            _scaled(motion, target),
            _shares(wrenches, target),
            None if nodal is None else target * nodal,
            tolerance * size,
        )
        total += used
        if found is None:
            share *= 0.5
            if share < _LEAST_SHARE:
                raise AnimatoError(
                    f"No equilibrium of flexible part '{full.mesh.name}' beyond {100.0 * reached:.1f} % of its load; "
                    "it buckles or its elements turn over. Give less load, a stiffer material or a better `start`."
                )
            continue
        before, u, last = u, found, target - reached
        reached = target
        share = last * (2.0 if used < 8 else 1.0)
    poses = [full.pose(interface, u) for interface in full.mesh.interfaces]
    return FullStatics(u, np.array([p for p, _ in poses]), np.array([R for _, R in poses]), total)


def _equilibrium(
    full: FullPart,
    guess: np.ndarray,
    base: LocalBase,
    wrenches: tuple[InterfaceWrench, ...],
    nodal: np.ndarray | None,
    tolerance: float,
) -> tuple[np.ndarray | None, int]:
    """Newton's method from a guess; None where it does not converge."""
    u, still = guess, np.zeros_like(guess)
    size = np.ptp(full.mesh.nodes, axis=0).max()
    for iteration in range(1, _MOST_ITERATIONS + 1):
        out = full.forces(u, still, still, base, wrenches=wrenches, nodal=nodal)
        matrix = full.matrix(u, still, still, base, (0.0, 0.0), wrenches=wrenches)
        try:
            change = factor_with_conditions(full, matrix).solve(-out)
        except RuntimeError:  # a singular matrix, says SuperLU
            return None, iteration
        length = float(np.abs(change).max())
        if not np.isfinite(length) or length > 3.0 * size:
            return None, iteration
        u = u + change
        if length < tolerance:
            upright = jacobian_determinants(full.mesh.nodes + u, full.mesh.tets).min() > 0.0  # the law allows others
            return (u if upright else None), iteration
    return None, _MOST_ITERATIONS


def _scaled(base: LocalBase, share: float) -> LocalBase:
    return LocalBase(share * base.lift, np.sqrt(share) * base.spin, share * base.spin_rate)


def _shares(wrenches: tuple[InterfaceWrench, ...], share: float) -> tuple[InterfaceWrench, ...]:
    def times(values: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = values
        return share * x, share * y, share * z

    return tuple(replace(one, force=times(one.force), moment=times(one.moment)) for one in wrenches)
