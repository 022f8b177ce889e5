"""How much each term of a design's objective counts."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from animato.errors import OptionError


@dataclass(frozen=True)
class DesignWeights:
    """Weights beside those of the tracking targets. All are per time step.

    Attributes:
        control: Keeps controls near their reference [1/rad^2 or 1/m^2]; large values keep given profiles.
        design: Keeps design parameters near their reference, which follows the iterates at 2, 4, 8, ...
        velocity: Of squared velocities [s^2/rad^2 or s^2/m^2]; keeps controls smooth where targets leave them open.
        limits: Of the barriers of limits.
        actuators: Of the actuator rows that are too many, squared: more actuators than degrees of freedom
            agree with one another in the least-squares sense.
        shape: Of the redundant rows of joints, squared: a design whose loops only close because of a special
            shape is led back to it.
        floor: Of the shortfall below the floor of the smallest singular value, squared.
        clearance: Of the shortfall below the clearance between bodies, squared [1/m^2].
    """

    control: float = 1e-4
    design: float = 1e-3
    velocity: float = 1e-6
    limits: float = 1e-3
    actuators: float = 1e4
    shape: float = 1e4
    floor: float = 1e4
    clearance: float = 1e4

    def __post_init__(self) -> None:
        for field in fields(self):
            value = float(getattr(self, field.name))
            if not math.isfinite(value) or value < 0.0:
                raise OptionError(f"The weight '{field.name}' of a design must be a number of at least 0, not {value}.")
        if self.control == 0.0 or self.design == 0.0:
            raise OptionError(
                "The weights 'control' and 'design' must be above 0: without them a design is not unique."
            )
