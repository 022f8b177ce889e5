"""How much of the motors' limits profiles use."""

from __future__ import annotations

from animato.mechanics.limits import AxisColumns, LimitUsage, coordinate_axes, usage_of_columns
from animato.steady.optimization.model import SteadyPoint
from animato.steady.problem import Problem


def profile_usage(problem: Problem, point: SteadyPoint) -> LimitUsage:
    """Of profiles at the steps of the nominal simulation, with its torques."""
    position, velocity, acceleration = problem.theta(point.x)
    jerk = problem.basis.matrix(problem.times, 3) @ problem.basis.control_points(point.x)
    torque = point.runs[0].torque
    columns = [
        AxisColumns(position[:, n], velocity[:, n], acceleration[:, n], jerk[:, n], torque[:, n])
        for n in range(len(problem.basis.names))
    ]
    return usage_of_columns(coordinate_axes(problem.character, problem.basis.names), columns, problem.times)
