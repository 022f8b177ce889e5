"""Free vibrations of a character about a static pose."""

from animato.mechanics.simulation.vibration.modes import Modes, vibration_modes

__all__ = ["Modes", "vibration_modes"]
