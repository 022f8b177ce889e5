"""Timing with limits of jerk and with effort: a motion whose time is bent until nothing more is to be gained."""

from animato.trace.warp.bending import solve_timing

__all__ = ["solve_timing"]
