"""What a user may choose: the one place where each default of express stands."""

from animato.express.options.options import Minimized, Options, PerJoint

__all__ = [
    "Minimized",
    "Options",
    "PerJoint",
]
