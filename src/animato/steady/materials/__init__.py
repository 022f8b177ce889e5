"""Materials from measured oscillations."""

from animato.steady.materials.fitting import fit_material
from animato.steady.materials.material_fit import FittedValue, MaterialFit
from animato.steady.materials.oscillation import Oscillation, oscillation_from_motion

__all__ = ["FittedValue", "MaterialFit", "Oscillation", "fit_material", "oscillation_from_motion"]
