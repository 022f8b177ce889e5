"""The terms of the problem: targets, limits, clearance, distance from singular poses."""

from animato.design.terms.barrier import FLOOR
from animato.design.terms.clearance import Clearances, Pair, clearances, colliding_pairs
from animato.design.terms.clearance_rows import ClearanceRows
from animato.design.terms.limits import DesignLimits, limits_of
from animato.design.terms.singular_floor import SingularFloor
from animato.design.terms.soft_rows import DroppedRows, MustHold, SoftRows, SoftValues
from animato.design.terms.target import TrackingTarget
from animato.design.terms.tracking import Tracking, packed_tracking, turn_slopes

__all__ = [
    "FLOOR",
    "ClearanceRows",
    "Clearances",
    "DesignLimits",
    "DroppedRows",
    "MustHold",
    "Pair",
    "SingularFloor",
    "SoftRows",
    "SoftValues",
    "Tracking",
    "TrackingTarget",
    "clearances",
    "colliding_pairs",
    "limits_of",
    "packed_tracking",
    "turn_slopes",
]
