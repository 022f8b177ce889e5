"""One emulated Feetech STS servo: its memory, its clamps and its protection."""

from __future__ import annotations

from animato.stage.emulated.servo_body import ServoBody
from animato.stage.lines import Register
from animato.stage.lines.feetech import registers

SIZE = 128

_DEFAULTS = {
    0: (2, 3 + 10 * 256),
    7: (1, 0),
    8: (1, 1),
    11: (2, 4095),
    13: (1, 70),
    14: (1, 80),
    15: (1, 40),
    16: (2, 1000),
    18: (1, 12),
    19: (1, 44),
    20: (1, 47),
    21: (1, 32),
    22: (1, 32),
    24: (2, 16),
    26: (1, 1),
    27: (1, 1),
    28: (2, 500),
    30: (1, 1),
    34: (1, 20),
    35: (1, 200),
    36: (1, 80),
    48: (2, 1000),
    55: (1, 1),
    62: (1, 74),
}
"""Size and value of registers as they come from the factory (an STS3215), by address."""


class FeetechServo:
    """A servo on an emulated bus.

    Attributes:
        id: On the bus.
        body: Its shaft.
        table: Its memory as bytes; tests may set a register with `set`.
        kept: What would be there after power was off.
    """

    def __init__(self, id: int, body: ServoBody, model: int = 777) -> None:
        self.id, self.body = id, body
        self.table = bytearray(SIZE)
        self.registered: tuple[int, bytes] | None = None
        for address, (size, value) in _DEFAULTS.items():
            self.table[address : address + size] = value.to_bytes(size, "little")
        self.set(registers.MODEL_NUMBER, model)
        self.table[5] = id
        self.set(registers.GOAL_POSITION, round(body.position) % 4096)
        self.kept = bytes(self.table[: registers.EEPROM_END])

    def get(self, register: Register) -> int:
        """The value of a register."""
        return register.decode(bytes(self.table))

    def set(self, register: Register, value: int) -> None:
        """Sets a register as the servo itself would."""
        self.table[register.address : register.address + register.size] = register.encode(value)

    @property
    def error(self) -> int:
        """What goes into each answer."""
        return self.get(registers.STATUS)

    @property
    def present(self) -> int:
        """Where it says it is: less its offset, within a turn unless it counts turns."""
        shown = round(self.body.position) - self.get(registers.HOMING_OFFSET)
        counts_turns = self.get(registers.PHASE) & registers.MULTI_TURN
        return max(-32767, min(32767, shown)) if counts_turns else shown % 4096

    def trouble(self, bits: int, now: float) -> None:
        """A fault; where the unload register has its bit, the servo lets go."""
        self.set(registers.STATUS, self.get(registers.STATUS) | bits)
        if bits & self.get(registers.UNLOAD):
            self.body.advance(now)
            self.body.torque = False
            self.set(registers.TORQUE_ENABLE, 0)

    def read(self, address: int, length: int) -> bytes:
        """Registers as they are now; beyond the end of the memory there is nothing."""
        body = self.body
        self.set(registers.PRESENT_POSITION, self.present)
        self.set(registers.PRESENT_SPEED, round(body.speed))
        self.set(registers.PRESENT_CURRENT, min(32767, round(body.current / registers.CURRENT_UNIT)))
        self.set(registers.PRESENT_TEMPERATURE, min(255, round(body.temperature)))
        return bytes(self.table[address : address + length])

    def write(self, address: int, data: bytes, now: float) -> None:
        """Writes registers; those that only the servo writes stay as they are."""
        self.body.advance(now)
        end = min(address + len(data), registers.PRESENT_POSITION.address)
        if not address < end:
            return
        self.table[address:end] = data[: end - address]
        if address < registers.EEPROM_END and not self.get(registers.LOCK):
            self.kept = bytes(self.table[: registers.EEPROM_END])
        torque = self.table[registers.TORQUE_ENABLE.address]
        if torque == 128:  # makes where it is the middle
            self.set(registers.HOMING_OFFSET, max(-2047, min(2047, round(self.body.position) - 2048)))
            self.table[registers.TORQUE_ENABLE.address] = torque = 0
        self.body.torque = bool(torque)
        speed, acceleration = abs(self.get(registers.GOAL_SPEED)), self.get(registers.ACCELERATION)
        self.body.speed_limit = float(speed) if speed else None
        self.body.acceleration = 100.0 * acceleration if acceleration else None
        if address <= registers.GOAL_POSITION.address < end:
            self.body.tell(self.goal + self.get(registers.HOMING_OFFSET), now)

    @property
    def goal(self) -> int:
        """Where it goes: what it was told, inside its limits."""
        goal = self.get(registers.GOAL_POSITION)
        least, most = self.get(registers.MIN_POSITION), self.get(registers.MAX_POSITION)
        return goal if least == most == 0 else max(least, min(most, goal))
