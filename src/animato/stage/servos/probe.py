"""Looks at single servos on a bus and lets them go, before anything is known of their zero."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from animato.character import Bus, BusKind
from animato.errors import OptionError
from animato.stage.lines import LineError, Register
from animato.stage.lines.contract import Conversation, SerialLink
from animato.stage.lines.dynamixel import MODELS, PROTOCOL_2, StatusHearing
from animato.stage.lines.dynamixel import registers as dynamixel
from animato.stage.lines.feetech import STS, AnswerHearing
from animato.stage.lines.feetech import registers as feetech
from animato.stage.servos.encoder import MOST_HOMING, Encoder

_PATIENCE_S = 0.05
_REVERSE = 0x01


@dataclass(frozen=True)
class Look:
    """What a servo says of itself.

    Attributes:
        present: Where it says that it is [counts].
        encoder: How that is to be understood.
        reverse: Whether its own direction is set to reverse.
        torque: Whether it holds.
        model: Its name.
        counts_turns: Whether its positions go on over whole turns (Feetech, bit 4 of register 18).
        fault: Why it has shut down, in words; empty when all is well.
    """

    present: int
    encoder: Encoder
    reverse: bool
    torque: bool
    model: str
    counts_turns: bool
    fault: str


class Probe:
    """A bus of Dynamixel or Feetech servos that are looked at one by one. Nothing it does moves a shaft.

    Args:
        bus: With its port.

    Raises:
        LineError: The port cannot be opened.
        OptionError: It has none.
    """

    def __init__(self, bus: Bus) -> None:
        if not bus.port:
            raise OptionError(f"Bus '{bus.name}' has no port: say `port`, such as /dev/ttyUSB0.")
        self.bus = bus
        self._is_dynamixel = bus.kind is BusKind.DYNAMIXEL
        dialect = PROTOCOL_2 if self._is_dynamixel else STS
        self._link = SerialLink(bus, bus.baud or dialect.usual_baud, _PATIENCE_S)
        hearing = StatusHearing() if self._is_dynamixel else AnswerHearing()
        self._talk = Conversation(bus, self._link, dialect, hearing)

    def look(self, id: int) -> Look:
        """What a servo says of itself.

        Raises:
            LineError: It does not answer.
        """
        registers = dynamixel if self._is_dynamixel else feetech
        present, homing = self._get(id, registers.PRESENT_POSITION), self._get(id, registers.HOMING_OFFSET)
        torque, number = self._get(id, registers.TORQUE_ENABLE), self._get(id, registers.MODEL_NUMBER)
        encoder = Encoder(self.bus.kind, homing)
        if not self._is_dynamixel:
            words = feetech.error_words(self._get(id, feetech.STATUS))
            turns = bool(self._get(id, feetech.PHASE) & feetech.MULTI_TURN)
            name = feetech.MODELS.get(number, f"model {number}")
            return Look(present, encoder, False, bool(torque), name, turns, words)
        words = dynamixel.hardware_words(self._get(id, dynamixel.HARDWARE_ERROR))
        reverse = bool(self._get(id, dynamixel.DRIVE_MODE) & _REVERSE)
        name = MODELS[number].name if number in MODELS else f"model {number}"
        return Look(present, encoder, reverse, bool(torque), name, False, words)

    def present(self, id: int) -> float:
        """Where a servo says that it is [counts]."""
        return float(self._get(id, (dynamixel if self._is_dynamixel else feetech).PRESENT_POSITION))

    def let_go(self, id: int) -> None:
        """Torque off, so that the joint can be moved by hand.

        Raises:
            LineError: It does not answer, or holds all the same.
        """
        register = (dynamixel if self._is_dynamixel else feetech).TORQUE_ENABLE
        self._talk.write_and_look(id, register, 0)

    def set_homing(self, id: int, value: int) -> None:
        """Writes the homing offset, which stays without power, and looks whether the servo shows it.

        Raises:
            LineError: It is not kept, or the servo shows another place than it should then.
            OptionError: The value is larger than these servos keep.
        """
        most = MOST_HOMING[self.bus.kind]
        if abs(value) > most:
            raise OptionError(f"A homing offset is -{most} to {most} counts on bus '{self.bus.name}', not {value}.")
        before = self.look(id)
        self.let_go(id)
        register = (dynamixel if self._is_dynamixel else feetech).HOMING_OFFSET
        if not self._is_dynamixel:
            self._talk.write_and_look(id, feetech.LOCK, 0)
        self._talk.write_and_look(id, register, value)
        if not self._is_dynamixel:
            self._talk.write_and_look(id, feetech.LOCK, 1)
        after = self.look(id)
        off = after.encoder.actual(after.present) - before.encoder.actual(before.present)
        if abs((off + 2048) % 4096 - 2048) > 40:  # the shaft may have been touched; a wrong sign is far more
            raise LineError(
                f"Servo {id} on bus '{self.bus.name}' took the homing offset {value} and shows {after.present} after "
                f"{before.present}, which is not what it should: do not trust its zero; set the offset to 0 and "
                f"calibrate anew."
            )

    def close(self) -> None:
        """Gives the port back; may be called twice."""
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _get(self, id: int, register: Register) -> int:
        return register.decode(self._talk.read(id, register.address, register.size), register.address)
