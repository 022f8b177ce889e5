"""Where bodies and rods of a simulated character are, for those who draw them."""

from animato.mechanics.simulation.posing.hinges import hinge_positions, step_poses
from animato.mechanics.simulation.posing.performance import LinkPlace, Performance, perform

__all__ = ["LinkPlace", "Performance", "hinge_positions", "perform", "step_poses"]
