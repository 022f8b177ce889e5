"""Slender rods in strain coordinates, as chains of hinges that a few coefficients drive."""

from animato.mechanics.flexible.rods.options import RodOptions
from animato.mechanics.flexible.rods.sections import Section, rectangle_torsion, section_of
from animato.mechanics.flexible.rods.strain_rod import RodHinge, StrainRod, build_strain_rod

__all__ = ["RodHinge", "RodOptions", "Section", "StrainRod", "build_strain_rod", "rectangle_torsion", "section_of"]
