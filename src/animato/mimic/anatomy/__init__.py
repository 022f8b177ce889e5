"""What a robot has of a human body."""

from animato.mimic.anatomy.anatomy import Anatomy, BodyPoint, Foot
from animato.mimic.anatomy.finding import anatomy_of
from animato.mimic.anatomy.stand_posture import stand_points

__all__ = [
    "Anatomy",
    "BodyPoint",
    "Foot",
    "anatomy_of",
    "stand_points",
]
