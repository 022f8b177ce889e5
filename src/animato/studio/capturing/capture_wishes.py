"""What people want of a captured person's motion, in plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from animato.errors import unknown_name
from animato.studio.desk import Fields

if TYPE_CHECKING:
    from animato.mimic import Options

AUTO, WHOLE, LIMBS = "auto", "whole", "limbs"
PROPORTIONS = (AUTO, WHOLE, LIMBS)
_NUMBERS = {
    "speed": (0.1, 4.0),
    "smoothness": (0.0, 1e-2),
    "togetherness": (0.0, 1e3),
    "friction": (0.05, 3.0),
    "margin": (0.0, 0.45),
}
_FLAGS = ("mirror", "balance", "torque", "slow_down", "collisions")


@dataclass(frozen=True)
class CaptureWishes:
    """Options of `mimic` that people meet, and two of the capture itself.

    Attributes:
        speed: Times as fast as the person was.
        mirror: Left becomes right.
        balance: Keep the weight over the feet.
        torque: Stay inside what motors can give.
        slow_down: Take more time where that is needed.
        collisions: Keep parts of the robot apart.
        smoothness: The weight of acceleration [m s^4/rad^2].
        togetherness: How much it counts that parts of the body that are near each other stay so.
        proportions: "whole" scales the person as one, "limbs" limb by limb, "auto" as fits the robot.
        friction: Of soles on the floor.
        margin: Share of every limit that is left unused.
    """

    speed: float = 1.0
    mirror: bool = False
    balance: bool = True
    torque: bool = True
    slow_down: bool = True
    collisions: bool = True
    smoothness: float = 4e-6
    togetherness: float = 4.0
    proportions: str = AUTO
    friction: float = 0.7
    margin: float = 0.08

    def values(self) -> dict[str, Any]:
        """By name."""
        return asdict(self)

    def with_value(self, name: str, fields: Fields, field: str = "value") -> CaptureWishes:
        """With one of them another.

        Args:
            name: Which.
            fields: Where the value is.
            field: Its name there.

        Raises:
            OptionError: There is no such wish, or it cannot have that value.
        """
        value: float | bool | str
        if name in _NUMBERS:
            least, most = _NUMBERS[name]
            value = fields.number(field, least=least, most=most)
        elif name in _FLAGS:
            value = fields.flag(field)
        elif name == "proportions":
            value = fields.choice(field, PROPORTIONS)
        else:
            raise unknown_name("name", name, [*_NUMBERS, *_FLAGS, "proportions"], "the wishes for a capture")
        known: dict[str, Any] = {name: value}
        return replace(self, **known)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> CaptureWishes:
        """Back from `values`; what is not there is as usual.

        Raises:
            OptionError: One of them cannot be.
        """
        wishes, fields = cls(), Fields(values)
        for name in values:
            wishes = wishes.with_value(name, fields, name)
        return wishes

    def options(self, *, preview: bool) -> Options:
        """What `mimic` is asked for.

        Args:
            preview: Follow the person and the contacts only, which takes a tenth of the time.
        """
        from animato.mimic import Options  # it is large, and most projects have no capture

        asked: dict[str, Any] = {
            "acceleration_weight": self.smoothness,
            "mesh_weight": self.togetherness,
            "segments": {AUTO: None, WHOLE: False, LIMBS: True}[self.proportions],
            "friction": self.friction,
            "margin": self.margin,
        }
        if preview:
            return Options(balance=False, torque=False, collisions=False, slow_down=False, clip_hz=60.0, **asked)
        return Options(
            balance=self.balance, torque=self.torque, collisions=self.collisions, slow_down=self.slow_down, **asked
        )
