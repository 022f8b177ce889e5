"""Results tried on models that they were not made for: stiffer, softer, finer; and beside what else could be done."""

from animato.steady.judging.comparison import Compared, compared, modes_at_start
from animato.steady.judging.stiffness import Sensitivity, sensitivity
from animato.steady.judging.trial import Trial, nominal_trials, try_clip, try_profiles
from animato.steady.judging.validation import Validation, validated

__all__ = [
    "Compared",
    "Sensitivity",
    "Trial",
    "Validation",
    "compared",
    "modes_at_start",
    "nominal_trials",
    "sensitivity",
    "try_clip",
    "try_profiles",
    "validated",
]
