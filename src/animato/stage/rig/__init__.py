"""The servos of a character as one: coordinates in, what each servo is told out."""

from animato.stage.rig.pretended import with_pretended_servos
from animato.stage.rig.rig import Rig, rig_of

__all__ = ["Rig", "rig_of", "with_pretended_servos"]
