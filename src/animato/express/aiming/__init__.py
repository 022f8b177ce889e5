"""What turns targets into set-points, as the loop asks for it: one end-point, several, or those on closed loops."""

from animato.express.aiming.aims import Aimed, Aims

__all__ = [
    "Aimed",
    "Aims",
]
