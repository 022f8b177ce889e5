"""A character with flexible parts and closed loops as a system in minimal coordinates."""

from animato.mechanics.simulation.system.build import build_system
from animato.mechanics.simulation.system.packed import (
    ANGLE_ROW,
    POINT_ROW,
    Drive,
    Loops,
    Outputs,
    PackedSystem,
    PartStands,
    Springs,
)
from animato.mechanics.simulation.system.system import Placed, RodLink, System

__all__ = [
    "ANGLE_ROW",
    "POINT_ROW",
    "Drive",
    "Loops",
    "Outputs",
    "PackedSystem",
    "PartStands",
    "Placed",
    "RodLink",
    "Springs",
    "System",
    "build_system",
]
