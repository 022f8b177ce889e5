"""Slender rods in strain coordinates: geometrically exact, as a chain of hinges that a few coefficients drive.

Curvature about x and y, twist about z and stretch are polynomials along the rod, kappa(s) = sum of q_k P_k(s) / L with
Legendre polynomials P_k. The rod is walked over Gauss nodes s_j of weight w_j. At each node a rigid link of length w_j
points along the rod's direction t(s_j) there, so the end of the rod, the sum of w_j t(s_j), is Gauss quadrature of the
integral of t. Between nodes stand hinges about x, y and z, turned by the exact integrals of the curvature, which are
linear in q. In a plane they give t(s_j) exactly; in space turns about different axes do not commute, so their order
alternates.

With all directions t_j the kinetic energy of a rod of mass m per length is half the sum of M_jk t_j' . t_k', where
M_jk = m w_j w_k (L - max(s_j, s_k)) by quadrature. A chain of rigid links has such energy if link j has its centre of
mass W_j - s_j behind its start (W_j: sum of weights up to j), and the corner of max(s, s') on the diagonal is made up
for by M_jj -= m w_j / 2 (integral of |s_j - s| - sum of w_k |s_j - s_k|). Loads, momenta and all energies in which one
of two motions is rigid are then as exact as quadrature; the energy of two bending motions is off by the fourth order in
the length of a link. (To give coefficients as a constant what the links lack of the exact mass matrix of the straight
rod would be wrong: links lack less than nothing, and in a bent rod masses then become negative.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from animato.character import Bar, MassProperties, Material, Rod
from animato.mechanics.flexible.rods.options import RodOptions
from animato.mechanics.flexible.rods.sections import Section, section_of


@dataclass(frozen=True, eq=False)
class RodHinge:
    """A hinge of a rod: a turn about, or a slide along, an axis of its frame.

    Attributes:
        slides: Whether it slides.
        axis: 0, 1 or 2 for x, y, z of the rod.
        shift: Along z of the rod from the hinge before, or from where the rod was entered [m].
        weights: Position of the hinge per unit of each coefficient, [coefficient].
        offset: Position of the hinge in the undeformed rod [rad or m].
        load: What moves with the hinge, along the rod's axes; its centre is counted from the hinge. None: no mass.
        link: Length of the link that follows [m]; 0 where none does.
        station: Arc length of the link's node [m].
    """

    slides: bool
    axis: int
    shift: float
    weights: np.ndarray
    offset: float
    load: MassProperties | None = None
    link: float = 0.0
    station: float = 0.0


@dataclass(frozen=True, eq=False)
class StrainRod:
    """A rod, or a piece of one, as hinges in the order in which they are walked.

    Attributes:
        names: Of the coefficients, "kx0" and so on; curvatures times length [rad], stretches [1].
        hinges: From where the rod is entered.
        end_shift: From the last hinge to the far end, along z [m].
        stiffness: K of the coefficients, [coefficient, coefficient].
        damping: alpha M + beta K, with M that of the undeformed rod held where it is entered.
    """

    names: tuple[str, ...]
    hinges: tuple[RodHinge, ...]
    end_shift: float
    stiffness: np.ndarray
    damping: np.ndarray


def build_strain_rod(
    geometry: Rod | Bar,
    material: Material,
    *,
    length: float | None = None,
    options: RodOptions | None = None,
    backward: bool = False,
) -> StrainRod:
    """Describes a rod by strain coordinates.

    Args:
        geometry: Section and length; z is along the rod.
        material: Of the rod.
        length: Of the piece that is described, where it is not the whole [m].
        options: How finely.
        backward: Whether the piece is entered at its far end and walked towards its origin.
    """
    options = options or RodOptions()
    section = options.section or section_of(geometry, material)
    length = geometry.length if length is None else length
    return _RodBuilder(section, material, length, options, backward).rod()


class _RodBuilder:
    """Lays out hinges and links of one piece."""

    def __init__(
        self, section: Section, material: Material, length: float, options: RodOptions, backward: bool
    ) -> None:
        self.section, self.material, self.length, self.options = section, material, length, options
        self.sign = -1.0 if backward else 1.0
        curvature, torsion, stretch, links = options.counts(length, section.thickness)
        counts = (curvature, curvature, torsion, stretch)
        starts = np.concatenate([[0], np.cumsum(counts)])
        self.slices = [slice(int(first), int(last)) for first, last in pairwise(starts)]
        self.count = int(starts[-1])
        self.names = tuple(
            f"{name}{k}" for name, count in zip(("kx", "ky", "kz", "ez"), counts, strict=True) for k in range(count)
        )
        nodes, weights = np.polynomial.legendre.leggauss(links)
        self.nodes = (nodes + 1.0) * length / 2.0  # from where the rod is entered
        self.weights = weights * length / 2.0

    def rod(self) -> StrainRod:
        hinges = self._hinges()
        stiffness, mass = self._stiffness(), self._mass_matrix()
        damping = self.material.mass_damping * mass + self.material.stiffness_damping * stiffness
        return StrainRod(self.names, tuple(hinges), self.end_shift, stiffness, damping)

    def _station(self, walked: float) -> float:
        return walked if self.sign > 0.0 else self.length - walked

    def _hinges(self) -> list[RodHinge]:
        hinges: list[RodHinge] = []
        ends, shift = np.concatenate([[0.0], self.nodes, [self.length]]), 0.0
        for i, (start, end) in enumerate(pairwise(ends)):
            order = [k for k in ((0, 1, 2) if i % 2 == 0 else (2, 1, 0)) if self._turns(k)]
            for k in order:
                weights, offset = self._turn(k, start, end)
                hinges.append(RodHinge(False, k, shift, weights, offset))
                shift = 0.0
            if i < len(self.nodes):
                self._add_link(hinges, i)
                shift = self.sign * self.weights[i]
        self.end_shift = shift
        return hinges

    def _turns(self, axis: int) -> bool:
        return self.slices[axis].stop > self.slices[axis].start or self.options.rest_curvature[axis] != 0.0

    def _turn(self, axis: int, start: float, end: float) -> tuple[np.ndarray, float]:
        """Weights and offset of the turn about an axis between two places, counted from where the rod is entered."""
        a, b = self._station(start), self._station(end)  # backward b < a, which gives the inverse turn
        weights = np.zeros(self.count)
        part = self.slices[axis]
        for k in range(part.stop - part.start):
            integral = np.polynomial.legendre.legint(np.eye(k + 1)[k])
            values = np.polynomial.legendre.legval(2.0 * np.array([a, b]) / self.length - 1.0, integral)
            weights[part.start + k] = (values[1] - values[0]) / 2.0
        return weights, self.options.rest_curvature[axis] * (b - a)

    def _add_link(self, hinges: list[RodHinge], j: int) -> None:
        """Hangs the mass of link j on the last hinge; with stretch, what is beyond the node on a slide."""
        station, part = self._station(self.nodes[j]), self.slices[3]
        load, stretches = self._load(j), part.stop > part.start
        before, beyond = self._split(load, j) if stretches else (load, load)
        hinges[-1] = replace(hinges[-1], load=before, link=float(self.weights[j]), station=station)
        if stretches:
            weights, x = np.zeros(self.count), 2.0 * station / self.length - 1.0
            for k in range(part.stop - part.start):
                value = np.polynomial.legendre.legval(x, np.eye(k + 1)[k])
                weights[part.start + k] = self.sign * self.weights[j] * value
            hinges.append(RodHinge(True, 2, 0.0, weights, 0.0, beyond))

    def _load(self, j: int) -> MassProperties:
        """Mass of a link, with its centre from the link's start."""
        s, w, m, length = self.nodes, self.weights, self.section.mass, self.length
        reached = float(w[: j + 1].sum())
        corner = (s[j] ** 2 + (length - s[j]) ** 2) / 2.0 - float(w @ np.abs(s[j] - s))
        second = m * (w[j] ** 2 * (length - s[j]) - w[j] / 2.0 * corner)  # M_jj
        centre, mass = reached - float(s[j]), m * float(w[j])
        across = second - w[j] ** 2 * m * (length - reached) - mass * centre**2
        return self._slender(mass, centre, float(across))

    def _slender(self, mass: float, centre: float, across: float) -> MassProperties:
        """A piece of a link; what sections have of their own goes by mass."""
        about_x, about_y = (rotary / self.section.mass * mass for rotary in self.section.rotary)
        inertia = np.diag([across + about_x, across + about_y, about_x + about_y])
        return MassProperties(mass, np.array([0.0, 0.0, self.sign * centre]), inertia)

    def _split(self, load: MassProperties, j: int) -> tuple[MassProperties, MassProperties]:
        """A link before and beyond its node, so that all beyond has the mass and first moment it has in the rod."""
        s, w, m, length = self.nodes, self.weights, self.section.mass, self.length
        starts = np.concatenate([[0.0], np.cumsum(w)])
        mass, centre = load.mass, self.sign * float(load.centre[2])
        later = m * float(w[j + 1 :] @ (starts[j + 1 : -1] + starts[j + 2 :] - s[j + 1 :]))  # of the links behind
        beyond = m * float(starts[j + 1] - s[j])
        moment = m * float(length**2 - s[j] ** 2) / 2.0 - later - beyond * starts[j]
        place = moment / beyond
        other = (mass * centre - moment) / (mass - beyond)
        total = float(load.inertia[0, 0]) - self.section.rotary[0] * w[j] + mass * centre**2
        left = total - beyond * place**2 - (mass - beyond) * other**2
        share = beyond / mass
        return (
            self._slender(mass - beyond, other, (1.0 - share) * left),
            self._slender(beyond, place, share * left),
        )

    def _stiffness(self) -> np.ndarray:
        """Diagonal, because Legendre polynomials are orthogonal: E I / L / (2 k + 1), and E A L / (2 k + 1)."""
        L, section = self.length, self.section
        values = (section.bending[0] / L, section.bending[1] / L, section.torsion / L, section.stretch * L)
        diagonal = np.zeros(self.count)
        for part, value in zip(self.slices, values, strict=True):
            diagonal[part] = value / (2.0 * np.arange(part.stop - part.start) + 1.0)
        return np.diag(diagonal)

    def _mass_matrix(self) -> np.ndarray:
        """Of the coefficients, exact for the straight rod held where it is entered."""
        section, L = self.section, self.length
        nodes, weights = np.polynomial.legendre.leggauss(self.count + 4)  # exact for all products below
        start = -1.0 if self.sign > 0.0 else 1.0
        mass = np.zeros((self.count, self.count))
        for part, rotary, carried in zip(
            self.slices, (*section.rotary, sum(section.rotary), section.mass), (True, True, False, False), strict=True
        ):
            count = part.stop - part.start
            if count == 0:
                continue
            turns = [np.polynomial.legendre.legint(np.eye(count)[k] / 2.0, lbnd=start) for k in range(count)]
            # turns per unit of a coefficient of curvature; one of stretch shifts by the length times as much
            scale = L if part is self.slices[3] else 1.0
            values = scale * np.array([np.polynomial.legendre.legval(nodes, turn) for turn in turns])
            mass[part, part] = rotary * L / 2.0 * (values * weights) @ values.T
            if carried:
                moves = [np.polynomial.legendre.legint(turn * L / 2.0, lbnd=start) for turn in turns]
                values = np.array([np.polynomial.legendre.legval(nodes, move) for move in moves])
                mass[part, part] += section.mass * L / 2.0 * (values * weights) @ values.T
        return mass
