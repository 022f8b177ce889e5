"""Snapshots without a simulation: shapes at rest under loads that bend a part far.

Each load is made as large as it takes to turn some place of the part by a given angle, so that the shapes hold what is
geometrically nonlinear: a bent part also grows shorter. Loads that strain the part before they turn it (along its way)
stay linear. Random mixtures of all loads teach how the directions work together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.flexible.full import (
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
)

_LEVELS = (1.0, -1.0, 0.5)
_LEAST_TURN = 0.2
"""Share of the wanted turn below which a load counts as linear."""
_MORE = 96
"""Mixtures of loads that are not solved for."""
_RIGID = 1e-4
"""A load under which a part gives way less than this share of the most compliant one needs no shape of its own."""


@dataclass(frozen=True, eq=False)
class StaticSnapshots:
    """Shapes of a part under loads.

    Attributes:
        linear: Responses to unit loads as if small [m/N], [case, node, 3]; loads along which the part is rigid are
            left out.
        shapes: Large displacements [m], [shape, node, 3].
        mixtures: Sizes of more mixtures of the loads, not solved for, [mixture, case]: to learn forces from.
        names: Of the loads of `shapes`.
        failed: Names of loads under which no equilibrium was found.
    """

    linear: np.ndarray
    shapes: np.ndarray
    mixtures: np.ndarray
    names: tuple[str, ...]
    failed: tuple[str, ...]


def static_snapshots(
    full: FullPart,
    *,
    turn: float = 0.5,
    strain: float = 0.01,
    mixtures: int = 16,
    plane: str | None = None,
    seed: int = 0,
) -> StaticSnapshots:
    """Solves for the shapes.

    Args:
        full: The part; bodies on it do not count.
        turn: Largest rotation in a shape [rad].
        strain: Largest strain; loads that reach it first are smaller.
        mixtures: Number of random mixtures of the loads.
        plane: Two of x, y, z where the part moves in a plane alone.
        seed: Of the mixtures.
    """
    cases = load_cases(full, plane=plane)
    rest = np.zeros_like(full.mesh.nodes)
    factor = factor_with_conditions(full, full.elements.tangent(rest).tocsr())
    linear = linear_responses(factor, cases)
    compliance = np.sqrt((linear * linear).sum(axis=(1, 2)))
    soft = np.flatnonzero(compliance > _RIGID * compliance.max())
    cases, linear = [cases[i] for i in soft], linear[soft]
    found, names, failed = [], [], []
    for name, sizes in _plans(full, cases, linear, turn, strain, mixtures, seed):
        wrenches, nodal = _loads(cases, sizes)
        start = bent_further(full, factor, np.tensordot(sizes, linear, axes=1))
        try:
            found.append(solve_full_statics(full, wrenches=wrenches, nodal=nodal, start=start, tolerance=1e-6).u)
            names.append(name)
        except AnimatoError:
            failed.append(name)
    shapes = np.array(found).reshape(-1, *rest.shape)
    more = _mixtures(full, linear, turn, strain, _MORE, seed + 1)
    return StaticSnapshots(linear, shapes, more, tuple(names), tuple(failed))


def _sizes(full: FullPart, linear: np.ndarray, turn: float, strain: float) -> tuple[np.ndarray, np.ndarray]:
    """Size at which each load turns or strains as far as allowed [case], and which of them bend."""
    turns, strains = largest_turns_and_strains(full, linear)
    sizes = np.minimum(turn / np.maximum(turns, 1e-300), strain / np.maximum(strains, 1e-300))
    return sizes, sizes * turns > _LEAST_TURN * turn


def _plans(
    full: FullPart, cases: list[LoadCase], linear: np.ndarray, turn: float, strain: float, mixtures: int, seed: int
) -> list[tuple[str, np.ndarray]]:
    """Names and sizes of all cases at once, [case], of the shapes to solve for."""
    sizes, bending = _sizes(full, linear, turn, strain)
    units = np.diag(sizes)
    plans = [(cases[i].name, level * units[i]) for i in np.flatnonzero(bending) for level in _LEVELS]
    if bending.sum() < 2:
        return plans
    mixed = _mixtures(full, linear[bending], turn, strain, mixtures, seed)
    spread = np.zeros((mixtures, len(cases)))
    spread[:, bending] = mixed
    return plans + [(f"mixture {n + 1}", one) for n, one in enumerate(spread)]


def _mixtures(full: FullPart, linear: np.ndarray, turn: float, strain: float, count: int, seed: int) -> np.ndarray:
    """Sizes of random mixtures of loads, [mixture, case]."""
    sizes, _ = _sizes(full, linear, turn, strain)
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(count, len(linear))) * sizes
    if count:
        turns, strains = largest_turns_and_strains(full, np.tensordot(mixed, linear, axes=1))
        mixed *= (random.uniform(0.2, 1.0, size=count) * np.minimum(turn / turns, strain / strains))[:, None]
    return np.asarray(mixed)


def _loads(cases: list[LoadCase], sizes: np.ndarray) -> tuple[tuple[InterfaceWrench, ...], np.ndarray]:
    """Loads of several cases at once: wrenches, which turn with nothing, and forces on nodes."""
    wrenches, nodal = [], np.zeros_like(cases[0].nodal)
    for case, size in zip(cases, sizes, strict=True):
        if case.wrench is None:
            nodal += size * case.nodal
        elif size != 0.0:
            wrenches.append(
                replace(case.wrench, force=_times(size, case.wrench.force), moment=_times(size, case.wrench.moment))
            )
    return tuple(wrenches), nodal


def _times(size: float, values: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = values
    return size * x, size * y, size * z
