"""Cross-sections of slender rods: what bends, twists and stretches them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.character import Bar, Material, Rod


@dataclass(frozen=True)
class Section:
    """A section of a uniform rod along z, with its stiffness and inertia.

    Attributes:
        mass: Per length [kg/m].
        bending: E I about x and y [N m^2].
        torsion: G J [N m^2].
        stretch: E A [N].
        rotary: Second moments of mass per length about x and y [kg m].
        thickness: The smaller outer dimension [m].
    """

    mass: float
    bending: tuple[float, float]
    torsion: float
    stretch: float
    rotary: tuple[float, float]
    thickness: float


def section_of(geometry: Rod | Bar, material: Material) -> Section:
    """The section of a round rod or of a rectangular bar; `width` is along x, `height` along y."""
    if isinstance(geometry, Rod):
        r = geometry.radius
        area, about_x, thickness = math.pi * r * r, math.pi * r**4 / 4.0, 2.0 * r
        about_y, torsion = about_x, 2.0 * about_x
    else:
        width, height = geometry.width, geometry.height
        area, thickness = width * height, min(width, height)
        about_x, about_y = width * height**3 / 12.0, height * width**3 / 12.0
        torsion = rectangle_torsion(width, height)
    shear = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio))
    return Section(
        material.density * area,
        (material.youngs_modulus * about_x, material.youngs_modulus * about_y),
        shear * torsion,
        material.youngs_modulus * area,
        (material.density * about_x, material.density * about_y),
        thickness,
    )


def rectangle_torsion(width: float, height: float) -> float:
    """Torsion constant J of a rectangle [m^4] by Saint-Venant's series, to twelve digits.

    J = a b^3 (1/3 - 64 b / (pi^5 a) sum over odd n of tanh(n pi a / 2b) / n^5), a >= b.
    """
    a, b = max(width, height), min(width, height)
    series = sum(math.tanh(n * math.pi * a / (2.0 * b)) / n**5 for n in range(1, 400, 2))
    return a * b**3 * (1.0 / 3.0 - 64.0 * b / (math.pi**5 * a) * series)
