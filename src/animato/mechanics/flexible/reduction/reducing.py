"""From a mesh to a reduced part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

import numpy as np

from animato.errors import OptionError
from animato.mechanics.flexible.elements import LINEAR, ST_VENANT_KIRCHHOFF, Elements, build_elements
from animato.mechanics.flexible.full import FullPart, build_full_part
from animato.mechanics.flexible.interface import interface_map
from animato.mechanics.flexible.mesh import PartMesh
from animato.mechanics.flexible.reduction.basis import coordinates, energy_pca, held, mass_pca, orthonormal, without
from animato.mechanics.flexible.reduction.cubature import cubature_forces, points_stiffness
from animato.mechanics.flexible.reduction.inertia_integrals import inertia_integrals
from animato.mechanics.flexible.reduction.kept_parts import kept_part, part_key
from animato.mechanics.flexible.reduction.point_gradients import PointGradients, point_gradients
from animato.mechanics.flexible.reduction.polynomial import polynomial_forces, shapes_at_rest
from animato.mechanics.flexible.reduction.reduced_part import CubatureForces, PolynomialForces, ReducedPart
from animato.mechanics.flexible.reduction.static_snapshots import static_snapshots


class ReducedForces(StrEnum):
    """Where elastic forces come from."""

    AUTO = "auto"
    POLYNOMIAL = "polynomial"
    CUBATURE = "cubature"


@dataclass(frozen=True)
class ReductionOptions:
    """How a part is reduced.

    Attributes:
        modes: With snapshots of one's own, principal components that are kept.
        small_tolerance: Without, small-displacement shapes are kept down to this share of the first one.
        bent_modes: Modes beside these at the most, for what large shapes have more.
        bent_tolerance: And those are left out that hold less than this share of the first one's elastic energy.
        turn: Rotation up to which shapes are learned [rad].
        strain: Strain up to which they are.
        equilibria: Whether shapes under loads are solved for, not only developed in powers of the load to third order:
            a hundred times slower, and the basis is about as good.
        plane: Two of x, y, z of the part's axes where it moves in a plane alone; None for space.
        forces: Polynomials are exact for St. Venant-Kirchhoff, cubature takes any material; 'auto' takes polynomials
            where it may.
        cubature_tolerance: Relative error of forces at which there are enough points.
        cubature_points: Points at the most.
        seed: Of all that is random.
    """

    modes: int = 11
    small_tolerance: float = 1e-4
    bent_modes: int = 16
    bent_tolerance: float = 1e-6
    turn: float = 0.5
    strain: float = 0.01
    equilibria: bool = False
    plane: str | None = None
    forces: ReducedForces = ReducedForces.AUTO
    cubature_tolerance: float = 1e-3
    cubature_points: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("modes", "cubature_points"):
            if getattr(self, name) < 1:
                raise OptionError(f"`{name}` must be at least 1, given {getattr(self, name)}.")
        if self.bent_modes < 0:
            raise OptionError(f"`bent_modes` must not be negative, given {self.bent_modes}.")
        for name in ("small_tolerance", "bent_tolerance", "turn", "strain", "cubature_tolerance"):
            if not getattr(self, name) > 0.0:
                raise OptionError(f"`{name}` must be greater than 0, given {getattr(self, name)}.")
        if self.turn > 1.2:
            raise OptionError(f"`turn` is at most 1.2 rad: modes cannot turn a part farther, given {self.turn}.")
        object.__setattr__(self, "forces", ReducedForces(self.forces))


DEFAULT_REDUCTION = ReductionOptions()


def reduce_part(
    part: PartMesh | Elements,
    options: ReductionOptions = DEFAULT_REDUCTION,
    *,
    snapshots: np.ndarray | None = None,
    basis: np.ndarray | None = None,
    keep: bool = True,
) -> ReducedPart:
    """Reduces a flexible part to a few modes, in the frame of its first interface.

    Without snapshots, shapes under static loads at its interfaces and under inertia loads teach the basis: all
    small-displacement responses, and principal components of what large shapes have more, by elastic energy.

    Args:
        part: Its mesh, or its elements.
        options: How.
        snapshots: Displacements in that frame [m], [snapshot, node, 3] or [snapshot, 3 node], such as those of a full
            simulation; the basis is then their `options.modes` principal components in mass.
        basis: A basis of one's own in the place of both, [node, 3, mode].
        keep: Whether the result is kept on disk, by all that it was made of, and taken from there.
    """
    elements = build_elements(part) if isinstance(part, PartMesh) else part
    for name, given in (("snapshots", snapshots), ("basis", basis)):
        if given is not None and given.size % (3 * elements.mesh.node_count):
            raise OptionError(
                f"`{name}` must hold displacements of {elements.mesh.node_count} nodes, given shape {given.shape}."
            )

    def made() -> ReducedPart:
        return _reduced(elements, options, snapshots, basis)

    if not keep:
        return made()
    return kept_part(part_key(elements.mesh, repr(options), snapshots, basis), elements.mesh, made)


def _reduced(
    elements: Elements, options: ReductionOptions, snapshots: np.ndarray | None, basis: np.ndarray | None
) -> ReducedPart:
    started = perf_counter()
    full, mesh, mass = build_full_part(elements), elements.mesh, elements.node_mass
    if basis is not None:
        shapes = np.moveaxis(held(np.moveaxis(basis, 2, 0), full.conditions), 0, 2)
        modes, learned, told = orthonormal(shapes, mass), np.zeros((0, mesh.node_count, 3)), {"basis": "given"}
    elif snapshots is not None:
        learned = held(snapshots.reshape(len(snapshots), -1, 3), full.conditions)
        modes, _ = mass_pca(learned, mass, options.modes)
        told = {"snapshots": f"{len(learned)} given"}
    else:
        modes, learned, told = _static_basis(full, options)
    points = point_gradients(elements, modes)
    small = basis is None and snapshots is None
    stiffness, forces = _forces(points, coordinates(learned, modes, mass), small, options)
    still = np.zeros_like(mesh.nodes)
    lost = np.stack([elements.damping_forces(still, mode) for mode in np.moveaxis(modes, 2, 0)])
    return ReducedPart(
        name=mesh.name,
        nodes=mesh.nodes,
        surface=mesh.surface,
        basis=modes,
        interface_names=tuple(one.name for one in mesh.interfaces),
        interfaces=tuple(interface_map(mesh.nodes, one.nodes, one.weights) for one in mesh.interfaces),
        integrals=inertia_integrals(mesh.nodes, mass, modes),
        stiffness=stiffness,
        damping=np.einsum("npj,knp->jk", modes, lost),
        forces=forces,
        provenance={**told, "reduced in": f"{perf_counter() - started:.1f} s"},
    )


def _static_basis(full: FullPart, options: ReductionOptions) -> tuple[np.ndarray, np.ndarray, dict[str, str]]:
    """Basis, small displacements under mixtures of loads, and what to tell of it."""
    found = static_snapshots(
        full,
        turn=options.turn,
        strain=options.strain,
        plane=options.plane,
        equilibria=options.equilibria,
        seed=options.seed,
    )
    mass = full.elements.node_mass
    linear, shapes, pairs = (held(one, full.conditions) for one in (found.linear, found.shapes, found.pairs))
    size = np.sqrt(np.einsum("snp,snp->s", linear, np.stack([mass @ one for one in linear])))
    small, _ = mass_pca(linear / size[:, None, None], mass, len(linear), tolerance=options.small_tolerance)
    told = {"snapshots": f"{len(linear)} static loads", "small shapes": str(small.shape[2])}
    if found.failed:
        told["no equilibrium"] = ", ".join(found.failed)
    mixed = np.tensordot(found.mixtures, linear, axes=1)
    if not len(shapes) or not options.bent_modes:
        return small, mixed, told
    stiffness = full.elements.tangent(np.zeros_like(full.mesh.nodes))
    bent = energy_pca(
        without(np.concatenate((shapes, pairs)), small, mass),
        stiffness,
        options.bent_modes,
        tolerance=options.bent_tolerance,
    )
    return orthonormal(np.concatenate((small, bent), axis=2), mass), mixed, told


def _forces(
    points: PointGradients, learned: np.ndarray, small: bool, options: ReductionOptions
) -> tuple[np.ndarray, PolynomialForces | CubatureForces | None]:
    """Stiffness at rest and elastic forces in a basis.

    Args:
        points: Of the basis.
        learned: Shapes to learn from, [shape, r].
        small: Whether these are small-displacement responses, from which loads follow.
        options: How.
    """
    kind = options.forces
    if kind is ReducedForces.AUTO:
        exact = (points.models == ST_VENANT_KIRCHHOFF).all()
        kind = ReducedForces.POLYNOMIAL if exact else ReducedForces.CUBATURE
    if (points.models == LINEAR).all():
        return points_stiffness(points), None
    if kind is ReducedForces.POLYNOMIAL:
        return polynomial_forces(points)
    if not len(learned):
        raise OptionError("Cubature learns from shapes: give `snapshots`, or a part without a `basis` of its own.")
    stiffness = points_stiffness(points)
    if small:
        # forces are learned where they will be needed: near equilibrium, where stretch is small
        learned = shapes_at_rest(points, learned)
    found = cubature_forces(
        points, learned, tolerance=options.cubature_tolerance, most=options.cubature_points, seed=options.seed
    )
    return stiffness, found
