"""How much slower a clip must be played to fit."""

from __future__ import annotations

from animato.character import Character
from animato.mechanics.limits.usage import LimitUsage
from animato.mechanics.limits.usage_of_clip import torque_peak
from animato.motion import Clip

_SLOWEST = 0.02  # slowest playback speed that is tried
_RESOLUTION = 0.005  # of the speed that is found


def fitting_speed(character: Character, clip: Clip, usage: LimitUsage) -> float | None:
    """The greatest playback speed, at most 1, at which all but the positions fit.

    Velocity goes with the speed, acceleration with its square, jerk with its cube; torque falls
    towards what holding the poses needs, so it is tried.

    Returns:
        A factor, or None where even the slowest motion asks too much torque.
    """
    powers = {"velocity": 1.0, "acceleration": 0.5, "jerk": 1.0 / 3.0}
    speed = min([1.0, *(usage.peak(kind) ** -power for kind, power in powers.items() if usage.peak(kind) > 1.0)])

    def torque_fits(factor: float) -> bool:
        start = clip.times[0]
        slowed = Clip(
            start + (clip.times - start) / factor,
            clip.names,
            clip.positions,
            clip.base_positions,
            clip.base_quaternions_wxyz,
        )
        return torque_peak(character, slowed) <= 1.0

    if torque_fits(speed):
        return speed
    low, high = _SLOWEST, speed
    if speed <= low or not torque_fits(low):
        return None
    while high - low > _RESOLUTION:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if torque_fits(middle) else (low, middle)
    return low
