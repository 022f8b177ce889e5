"""Servos that are not there: emulators on ptys, byte for byte, with the faults that real ones have."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.emulated.bottango_emulator import BottangoEmulator
    from animato.stage.emulated.dynamixel_emulator import DynamixelEmulator
    from animato.stage.emulated.emulator_process import EmulatorProcess
    from animato.stage.emulated.feetech_emulator import FeetechEmulator
    from animato.stage.emulated.maestro_emulator import MaestroEmulator
    from animato.stage.emulated.serial_emulator import Frame, SerialEmulator
    from animato.stage.emulated.servo_body import ServoBody

__all__ = [
    "BottangoEmulator",
    "DynamixelEmulator",
    "EmulatorProcess",
    "FeetechEmulator",
    "Frame",
    "MaestroEmulator",
    "SerialEmulator",
    "ServoBody",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.stage.emulated.bottango_emulator": ("BottangoEmulator",),
        "animato.stage.emulated.dynamixel_emulator": ("DynamixelEmulator",),
        "animato.stage.emulated.emulator_process": ("EmulatorProcess",),
        "animato.stage.emulated.feetech_emulator": ("FeetechEmulator",),
        "animato.stage.emulated.maestro_emulator": ("MaestroEmulator",),
        "animato.stage.emulated.serial_emulator": ("Frame", "SerialEmulator"),
        "animato.stage.emulated.servo_body": ("ServoBody",),
    },
)
