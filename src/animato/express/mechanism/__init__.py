"""End-points that hang on closed loops face with the actuators that move them."""

from animato.express.mechanism.closing import closed_clip
from animato.express.mechanism.mechanism_aims import MechanismAims, MechanismFacing, face_with_mechanism
from animato.express.mechanism.mechanism_body import MechanismBody

__all__ = [
    "MechanismAims",
    "MechanismBody",
    "MechanismFacing",
    "closed_clip",
    "face_with_mechanism",
]
