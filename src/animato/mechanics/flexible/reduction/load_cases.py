"""Static loads whose shapes a reduced part must be able to take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import OptionError
from animato.mechanics.flexible.full import ConstrainedFactor, FullPart, InterfaceWrench, resting_base
from animato.mechanics.flexible.reduction.point_gradients import point_gradients

_AXES = "xyz"
_POWERS = ("uniform", "linear", "quadratic")


@dataclass(frozen=True, eq=False)
class LoadCase:
    """A load of unit size: 1 N, 1 N times the part's length, or 1 N in all.

    Attributes:
        name: For people.
        wrench: On a far interface, or None.
        nodal: The same as forces on the nodes at rest [N], [node, 3].
    """

    name: str
    wrench: InterfaceWrench | None
    nodal: np.ndarray


def load_cases(full: FullPart, *, plane: str | None = None) -> list[LoadCase]:
    """Forces and moments at each far interface, and inertia loads: uniform, linear and quadratic along the part.

    The part's long way is from its reference interface to the node farthest from there.

    Args:
        full: The part.
        plane: Two of x, y, z in the part's axes where it moves in a plane alone; None for space.
    """
    along_axes, about_axes = _directions(plane)
    way = full.mesh.nodes - full.reference.centroid
    far = way[np.argmax((way * way).sum(axis=1))]
    length = float(np.linalg.norm(far))
    cases = []
    for interface in full.mesh.interfaces[1:]:
        for kind, axes, size in (("force", along_axes, 1.0), ("moment", about_axes, length)):
            for axis in axes:
                x, y, z = size * np.eye(3)[axis]
                wrench = InterfaceWrench(interface.name, **{kind: (float(x), float(y), float(z))})
                cases.append(LoadCase(f"{kind} {_AXES[axis]} at {interface.name}", wrench, _at_rest(full, wrench)))
    for power, word in enumerate(_POWERS):
        for axis in along_axes:
            field = np.zeros_like(way)
            field[:, axis] = (way @ far / (far @ far)) ** power
            force = np.asarray(full.elements.node_mass @ field)
            cases.append(LoadCase(f"{word} {_AXES[axis]}", None, force / np.abs(force.sum())))
    return cases


def _directions(plane: str | None) -> tuple[list[int], list[int]]:
    """Axes along which forces act, and about which moments do."""
    if plane is None:
        return [0, 1, 2], [0, 1, 2]
    if len(plane) != 2 or len(set(plane)) != 2 or not set(plane) <= set(_AXES):
        raise OptionError(f"`plane` names two of x, y and z, such as 'xz', or is None; given {plane!r}.")
    return sorted(_AXES.index(one) for one in plane), [i for i in range(3) if _AXES[i] not in plane]


def linear_responses(factor: ConstrainedFactor, cases: list[LoadCase]) -> np.ndarray:
    """Displacements under each load as if they were small [m], [case, node, 3]; the factor is that at rest."""
    return np.stack([factor.solve(case.nodal) for case in cases])


def largest_turns_and_strains(full: FullPart, displacements: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Largest rotation [rad] and strain anywhere in a part, as if small, [shape] of [shape, node, 3]."""
    G = point_gradients(full.elements, np.moveaxis(displacements, 0, 2)).gradients
    G = G.reshape(len(G), 3, 3, -1)
    turn, strain = 0.5 * (G - G.swapaxes(1, 2)), 0.5 * (G + G.swapaxes(1, 2))
    return (
        np.sqrt(0.5 * (turn * turn).sum(axis=(1, 2))).max(axis=0),
        np.sqrt((strain * strain).sum(axis=(1, 2))).max(axis=0),
    )


def second_change(full: FullPart, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The second derivative of the elastic forces at rest along two displacements, f''(one, other), [node, 3]."""
    return np.asarray(0.25 * (_curvature(full, one + other) - _curvature(full, one - other)))


def bent_further(full: FullPart, factor: ConstrainedFactor, u: np.ndarray) -> np.ndarray:
    """A small-displacement response u [node, 3] with the next two terms of its growth with the load.

    With f the elastic forces and K their tangent at rest, the shape under a load grows like u + u2 / 2 + u3 / 6,
    K u2 = -f''(u, u) and K u3 = -3 f''(u, u2) - f'''(u, u, u): what is quadratic is the part's getting shorter.
    """

    def odd(x: np.ndarray) -> np.ndarray:
        return np.asarray(full.elements.forces(x) - full.elements.forces(-x))

    third = (odd(2.0 * _STEP * u) - 2.0 * odd(_STEP * u)) / (2.0 * _STEP**3)
    u2 = factor.solve(-_curvature(full, u))
    u3 = factor.solve(-3.0 * second_change(full, u, u2) - third)
    return np.asarray(u + u2 / 2.0 + u3 / 6.0)


_STEP = 0.02
"""Share of a displacement over which differences are taken; forces are polynomials of it, of degree three or five."""


def _curvature(full: FullPart, x: np.ndarray) -> np.ndarray:
    """f''(x, x)."""
    forces = full.elements.forces
    return np.asarray((forces(_STEP * x) + forces(-_STEP * x)) / (_STEP * _STEP))


def _at_rest(full: FullPart, wrench: InterfaceWrench) -> np.ndarray:
    """A wrench as forces on the nodes of the undeformed part."""
    still = np.zeros_like(full.mesh.nodes)
    base = resting_base(gravity=(0.0, 0.0, 0.0)).at(0)
    return -full.forces(still, still, still, base, wrenches=(wrench,))
