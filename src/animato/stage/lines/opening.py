"""Opens a bus by what is spoken on it."""

from __future__ import annotations

from animato.character import Bus, BusKind
from animato.errors import OptionError
from animato.stage.lines.contract import Line


def open_line(bus: Bus) -> Line:
    """Opens the port of a bus; no servo is told anything yet.

    Raises:
        LineError: The port cannot be opened.
        OptionError: The bus has no port.
    """
    if not bus.port:
        raise OptionError(
            f"Bus '{bus.name}' has no port. Write port: /dev/ttyUSB0, or whatever it is, into its line of the servo "
            f"map, or say it with `to`: {bus.name}=/dev/ttyUSB0."
        )
    if bus.kind is BusKind.DYNAMIXEL:
        from animato.stage.lines.dynamixel import DynamixelLine

        return DynamixelLine(bus)
    if bus.kind is BusKind.FEETECH:
        from animato.stage.lines.feetech import FeetechLine

        return FeetechLine(bus)
    if bus.kind is BusKind.MAESTRO:
        from animato.stage.lines.maestro import MaestroLine

        return MaestroLine(bus)
    from animato.stage.lines.bottango import BottangoLine

    return BottangoLine(bus)
