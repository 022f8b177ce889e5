"""What the loop asks of whatever aims; it stands in a room of its own, before those that do it and before the loop."""

from animato.express.aiming import Aimed, Aims

__all__ = ["Aimed", "Aims"]
