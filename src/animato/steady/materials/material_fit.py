"""What is known of a part once its material has been fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character, Material
from animato.described import HasPage
from animato.outcome import Outcome
from animato.steady.materials.oscillation import Oscillation


@dataclass(frozen=True)
class FittedValue:
    """A number and how well it is known.

    Attributes:
        value: In SI units.
        error: One standard deviation; NaN where it was not fitted.
    """

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.4g} +- {self.error:.2g}" if np.isfinite(self.error) else f"{self.value:.4g}"


@dataclass(frozen=True, eq=False, repr=False)
class MaterialFit(HasPage):
    """What a part is made of, by how it swings.

    Attributes:
        character: With the fitted material.
        part: Name of the part.
        record: What was measured.
        material: The fitted one.
        youngs_modulus, mass_damping, stiffness_damping: With their errors [Pa, 1/s, s].
        simulated: Displacement of the model at the times of the record [m], [frame].
        damping_ratio: Of the first mode.
        outcome: How the fit ended.
        notes: What could not be told, in plain sentences.
    """

    REPORT = "material_fit"

    character: Character
    part: str
    record: Oscillation
    material: Material
    youngs_modulus: FittedValue
    mass_damping: FittedValue
    stiffness_damping: FittedValue
    simulated: np.ndarray
    damping_ratio: float
    outcome: Outcome
    notes: tuple[str, ...]

    @property
    def rms_m(self) -> float:
        """Of the difference between model and record [m]."""
        return float(np.sqrt(np.mean((self.simulated - self.record.values) ** 2)))

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "part": self.part,
            "Young's modulus": f"{FittedValue(self.youngs_modulus.value / 1e9, self.youngs_modulus.error / 1e9)} GPa",
            "mass damping": f"{self.mass_damping} 1/s",
            "stiffness damping": f"{self.stiffness_damping} s",
            "off the record": f"{1000.0 * self.rms_m:.3g} mm RMS",
        }
