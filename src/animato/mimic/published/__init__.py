"""Retargeting as Moulard, Yoshida and Nakaoka publish it (ISR 2013): markers are the unknowns."""

from animato.mimic.published.capture import LONGEST_GAP_S, ReadyMarkers, planted_feet, ready_markers
from animato.mimic.published.dynamics import MarkerDynamics, Robot
from animato.mimic.published.fitting import DAMPING, Fit, MarkerFitter
from animato.mimic.published.marker_set import MarkerPlace, MarkerSet
from animato.mimic.published.postures import Postures
from animato.mimic.published.problem import PublishedOptions, PublishedProblem, build_published
from animato.mimic.published.proportions import links_of, scale_of, standing_feet
from animato.mimic.published.result import PublishedResult
from animato.mimic.published.retargeting import dynamics_of, robot_limits, solve_published

__all__ = [
    "DAMPING",
    "LONGEST_GAP_S",
    "Fit",
    "MarkerDynamics",
    "MarkerFitter",
    "MarkerPlace",
    "MarkerSet",
    "Postures",
    "PublishedOptions",
    "PublishedProblem",
    "PublishedResult",
    "ReadyMarkers",
    "Robot",
    "build_published",
    "dynamics_of",
    "links_of",
    "planted_feet",
    "ready_markers",
    "robot_limits",
    "scale_of",
    "solve_published",
    "standing_feet",
]
