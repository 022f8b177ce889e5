"""Bags and goals for ROS 2."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.exporting.ros.trajectory import Trajectory, trajectory_of

__all__ = ["Trajectory", "trajectory_of"]

__getattr__, __dir__ = lazily(__name__, {"animato.stage.exporting.ros.trajectory": ("Trajectory", "trajectory_of")})
