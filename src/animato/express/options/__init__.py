"""What a user may choose: the one place where each default of express stands."""

from animato.express.options.options import METHODS, Method, Minimized, Options, PerJoint

__all__ = [
    "METHODS",
    "Method",
    "Minimized",
    "Options",
    "PerJoint",
]
