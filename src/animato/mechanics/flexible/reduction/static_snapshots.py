"""Snapshots without a simulation: shapes under static loads that bend a part far.

Each load is made as large as it takes to turn some place of the part by a given angle, so that the shapes hold what is
geometrically nonlinear: a bent part also grows shorter. Loads that strain the part before they turn it (along its way)
stay linear. How two loads work together is in the second-order response to both. All of this is a power series in the
loads, with the one factor of the stiffness at rest; solving for equilibrium instead costs a hundred times more and
changes little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.flexible.full import (
    ConstrainedFactor,
    FullPart,
    InterfaceWrench,
    factor_with_conditions,
    solve_full_statics,
)
from animato.mechanics.flexible.reduction.load_cases import (
    LoadCase,
    bent_further,
    largest_turns_and_strains,
    linear_responses,
    load_cases,
    second_change,
)

_LEVELS = (1.0, -1.0, 0.5)
_LEAST_TURN = 0.2
"""Share of the wanted turn below which a load counts as linear."""
_MIXTURES = 96
_RIGID = 1e-4
"""A load under which a part gives way less than this share of the most compliant one needs no shape of its own."""


@dataclass(frozen=True, eq=False)
class StaticSnapshots:
    """Shapes of a part under loads.

    Attributes:
        linear: Responses to unit loads as if small [m/N], [case, node, 3]; loads along which the part is rigid are
            left out.
        shapes: Large displacements [m], [shape, node, 3].
        pairs: Second-order responses to two loads at once [m], [pair, node, 3].
        mixtures: Sizes of random mixtures of the loads [N], [mixture, case]: to learn forces from.
        failed: Names of loads under which no equilibrium was found.
    """

    linear: np.ndarray
    shapes: np.ndarray
    pairs: np.ndarray
    mixtures: np.ndarray
    failed: tuple[str, ...]


def static_snapshots(
    full: FullPart,
    *,
    turn: float = 0.5,
    strain: float = 0.01,
    plane: str | None = None,
    equilibria: bool = False,
    seed: int = 0,
) -> StaticSnapshots:
    """Finds the shapes.

    Args:
        full: The part; bodies on it do not count.
        turn: Largest rotation in a shape [rad].
        strain: Largest strain; loads that reach it first are smaller.
        plane: Two of x, y, z where the part moves in a plane alone.
        equilibria: Whether shapes under single loads are solved for, not only developed to third order.
        seed: Of the mixtures.
    """
    cases = load_cases(full, plane=plane)
    rest = np.zeros_like(full.mesh.nodes)
    factor = factor_with_conditions(full, full.elements.tangent(rest).tocsr())
    linear = linear_responses(factor, cases)
    compliance = np.sqrt((linear * linear).sum(axis=(1, 2)))
    soft = np.flatnonzero(compliance > _RIGID * compliance.max())
    cases, linear = [cases[i] for i in soft], linear[soft]
    turns, strains = largest_turns_and_strains(full, linear)
    sizes = np.minimum(turn / np.maximum(turns, 1e-300), strain / np.maximum(strains, 1e-300))
    bending = np.flatnonzero(sizes * turns > _LEAST_TURN * turn)
    shapes, failed = [], []
    for i in bending:
        for level in _LEVELS:
            size = level * sizes[i]
            shape = bent_further(full, factor, size * linear[i])
            found = _equilibrium(full, cases[i], size, shape) if equilibria else shape
            if found is None:
                failed.append(cases[i].name)
            else:
                shapes.append(found)
    return StaticSnapshots(
        linear,
        np.array(shapes).reshape(-1, *rest.shape),
        _pairs(full, factor, linear[bending] * sizes[bending, None, None]),
        _mixtures(full, linear, sizes, (turn, strain), seed),
        tuple(failed),
    )


def _pairs(full: FullPart, factor: ConstrainedFactor, responses: np.ndarray) -> np.ndarray:
    """Second-order responses to all pairs of loads whose first-order ones are given, [pair, node, 3]."""
    first, second = np.triu_indices(len(responses))
    changes = (second_change(full, responses[i], responses[j]) for i, j in zip(first, second, strict=True))
    return np.array([-0.5 * factor.solve(one) for one in changes]).reshape(-1, *full.mesh.nodes.shape)


def _mixtures(
    full: FullPart, linear: np.ndarray, sizes: np.ndarray, most: tuple[float, float], seed: int
) -> np.ndarray:
    """Sizes of random mixtures of loads, [mixture, case], none of which turns or strains more than it may."""
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(_MIXTURES, len(linear))) * sizes
    turns, strains = largest_turns_and_strains(full, np.tensordot(mixed, linear, axes=1))
    share = random.uniform(0.2, 1.0, size=_MIXTURES) * np.minimum(most[0] / turns, most[1] / strains)
    return np.asarray(mixed * share[:, None])


def _equilibrium(full: FullPart, case: LoadCase, size: float, start: np.ndarray) -> np.ndarray | None:
    """The shape under a load, or None where there is none."""
    wrenches: tuple[InterfaceWrench, ...] = ()
    if case.wrench is not None:
        force, moment = _times(size, case.wrench.force), _times(size, case.wrench.moment)
        wrenches = (replace(case.wrench, force=force, moment=moment),)
    nodal = None if wrenches else size * case.nodal
    try:
        return solve_full_statics(full, wrenches=wrenches, nodal=nodal, start=start, tolerance=1e-6).u
    except AnimatoError:
        return None


def _times(size: float, values: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = values
    return size * x, size * y, size * z
