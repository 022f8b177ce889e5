"""How finely a rod is described."""

from __future__ import annotations

from dataclasses import dataclass

from animato.errors import OptionError
from animato.mechanics.flexible.rods.sections import Section

_LONG, _MEDIUM = 100.0, 40.0  # length over thickness


@dataclass(frozen=True)
class RodOptions:
    """Coordinates and links of a slender rod; None is chosen by how slender it is.

    Attributes:
        curvature: Legendre coefficients of the curvature about x, and as many about y.
        torsion: Legendre coefficients of the twist; a second one hardly changes motions, and is fast and light, which
            makes steps in time costly.
        stretch: Legendre coefficients of the stretch; steel rods hardly stretch, so 0 unless asked for.
        links: Rigid pieces that carry the mass; odd numbers make turns about different axes cancel better.
        rest_curvature: Of the undeformed rod about x, y and z, constant along it [1/m].
        section: Stiffness and inertia where they are known better than from shape and material: tubes, ropes, measured
            ones.
    """

    curvature: int | None = None
    torsion: int | None = None
    stretch: int = 0
    links: int | None = None
    rest_curvature: tuple[float, float, float] = (0.0, 0.0, 0.0)
    section: Section | None = None

    def __post_init__(self) -> None:
        for name, least in (("curvature", 1), ("torsion", 0), ("stretch", 0), ("links", 1)):
            value = getattr(self, name)
            if value is not None and (value != int(value) or value < least):
                raise OptionError(f"`{name}` of a rod is a whole number of at least {least}, not {value}.")

    def counts(self, length: float, thickness: float) -> tuple[int, int, int, int]:
        """Coefficients of curvature (each axis), torsion and stretch, and links, of a rod [m]."""
        slenderness = length / thickness
        curvature, torsion, links = 2, 1, 3
        if slenderness > _MEDIUM:
            curvature, links = 3, 5
        if slenderness > _LONG:
            curvature, links = 4, 7
        curvature = curvature if self.curvature is None else int(self.curvature)
        torsion = torsion if self.torsion is None else int(self.torsion)
        links = max(links, 2 * curvature - 1) if self.links is None else int(self.links)
        return curvature, torsion, int(self.stretch), links
