"""Pololu Maestro: pulses for hobby servos, told in quarter microseconds."""

from animato.stage.lines.maestro.maestro_line import MaestroLine

__all__ = ["MaestroLine"]
