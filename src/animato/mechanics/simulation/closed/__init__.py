"""Closed motions: passive joints that follow the motors, with velocities, torques and exact derivatives; compiled."""

from animato.mechanics.simulation.closed.held import held_at_root
from animato.mechanics.simulation.closed.linkage import (
    OPEN,
    Linkage,
    LinkageDerivatives,
    LinkageLoads,
    LinkageMoments,
    build_linkage,
)

__all__ = ["OPEN", "Linkage", "LinkageDerivatives", "LinkageLoads", "LinkageMoments", "build_linkage", "held_at_root"]
