"""What a robot has of a human body."""

from animato.mimic.anatomy.anatomy import Anatomy, BodyPoint, Foot

__all__ = [
    "Anatomy",
    "BodyPoint",
    "Foot",
]
