"""Files that hold what servos are told: for Blender Servo Animation, and for boards that play alone."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.exporting.pulses.servo_frames import ServoFrames, servo_frames_of

__all__ = ["ServoFrames", "servo_frames_of"]

__getattr__, __dir__ = lazily(
    __name__, {"animato.stage.exporting.pulses.servo_frames": ("ServoFrames", "servo_frames_of")}
)
