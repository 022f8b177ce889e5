"""The curve of a motion: control points in time, states at the knots, and how one changes with the other."""

from animato.mimic.curve.motion_curve import ControlPoints, Knots, controls_through, knots_of, sampled_clip
from animato.mimic.curve.root_kernel import put_root_states

__all__ = [
    "ControlPoints",
    "Knots",
    "controls_through",
    "knots_of",
    "put_root_states",
    "sampled_clip",
]
