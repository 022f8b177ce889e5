"""One emulated Dynamixel X servo: its control table, what it refuses, its watchdog and its shutdown."""

from __future__ import annotations

from enum import IntEnum

from animato.stage.emulated.servo_body import ServoBody
from animato.stage.lines import Register
from animato.stage.lines.dynamixel import ALERT, MODELS, registers

SIZE = 256


class Trouble(IntEnum):
    """Error numbers of a status packet."""

    NONE = 0
    RESULT_FAIL = 1
    INSTRUCTION = 2
    DATA_RANGE = 4
    DATA_LENGTH = 5
    DATA_LIMIT = 6
    ACCESS = 7


_READ_ONLY = (range(0, 7), range(69, 71), range(120, 148))
_GOALS = range(100, 120)
_LOCKED = (range(100, 108), range(116, 120))
"""Goals of PWM, current, velocity and position: what the watchdog locks when it trips."""

_MOST = {
    9: (1, 0, 254),
    10: (1, 0, 13),
    11: (1, 0, 16),
    36: (2, 0, 885),
    38: (2, 0, 2047),
    44: (4, 0, 2047),
    48: (4, 0, 4095),
    52: (4, 0, 4095),
    64: (1, 0, 1),
    68: (1, 0, 2),
    108: (4, 0, 32767),
    112: (4, 0, 32767),
}
"""Size, least and most of registers that have a range, by address."""

_DEFAULTS = {
    9: (1, 250),
    11: (1, 3),
    12: (1, 255),
    13: (1, 2),
    24: (4, 10),
    31: (1, 80),
    32: (2, 160),
    34: (2, 95),
    36: (2, 885),
    38: (2, 1193),
    44: (4, 330),
    48: (4, 4095),
    63: (1, 52),
    68: (1, 2),
    78: (2, 100),
    76: (2, 1920),
    84: (2, 800),
    100: (2, 885),
    102: (2, 1193),
    144: (2, 120),
}
"""Size and value of registers as they come from the factory (an XM430), by address."""

_POSITION_MODES = (3, 4, 5)


class DynamixelServo:
    """A servo on an emulated bus.

    Attributes:
        id: On the bus.
        body: Its shaft.
        table: The control table as bytes; tests may set a register with `set`.
        tripped: When the bus watchdog stopped it [s], or None.
    """

    def __init__(self, id: int, body: ServoBody, model: int = 1020) -> None:
        self.id, self.body = id, body
        self.table = bytearray(SIZE)
        self.tripped: float | None = None
        self.registered: tuple[int, bytes] | None = None
        self._heard_at = 0.0
        for address, (size, value) in _DEFAULTS.items():
            self.table[address : address + size] = value.to_bytes(size, "little")
        self.set(registers.MODEL_NUMBER, model)
        self.set(registers.FIRMWARE, 47)
        self.table[7] = id
        self.set(registers.GOAL_POSITION, round(body.position))

    def get(self, register: Register) -> int:
        """The value of a register."""
        return register.decode(bytes(self.table))

    def set(self, register: Register, value: int) -> None:
        """Sets a register as the servo itself would, without asking whether it may be written."""
        self.table[register.address : register.address + register.size] = register.encode(value)

    @property
    def alert(self) -> int:
        """The bit that goes into each status packet."""
        return ALERT if self.get(registers.HARDWARE_ERROR) else 0

    def hear(self, now: float) -> None:
        """An instruction was on the bus."""
        self._heard_at = now

    def tick(self, now: float) -> None:
        """The shaft moves; the watchdog may stop it."""
        self.body.advance(now)
        watchdog = self.table[registers.BUS_WATCHDOG.address]
        if not self.body.torque or not 1 <= watchdog <= 127:
            return
        if now - self._heard_at > watchdog * registers.WATCHDOG_UNIT_S:
            self.tripped = now
            self.table[registers.BUS_WATCHDOG.address] = 0xFF
            self.set(registers.PROFILE_ACCELERATION, 0)
            self.set(registers.PROFILE_VELOCITY, 0)
            self.body.tell(self.body.position, now)

    def trouble(self, bits: int, now: float) -> None:
        """A hardware error; where the shutdown register has its bit, torque goes off until a reboot."""
        self.set(registers.HARDWARE_ERROR, self.get(registers.HARDWARE_ERROR) | bits)
        if bits & self.get(registers.SHUTDOWN):
            self.body.advance(now)
            self.body.torque = False
            self.set(registers.TORQUE_ENABLE, 0)

    def reboot(self, now: float) -> None:
        """As after power on: what is not kept in the EEPROM is as it was."""
        self.body.advance(now)
        self.body.torque, self.body.speed_limit, self.body.acceleration = False, None, None
        fresh = DynamixelServo(self.id, self.body)
        self.table[registers.EEPROM_END :] = fresh.table[registers.EEPROM_END :]
        self.tripped, self.registered = None, None

    def read(self, address: int, length: int) -> tuple[Trouble, bytes]:
        """Registers as they are now."""
        if length < 1 or address + length > SIZE:
            return Trouble.DATA_LENGTH, b""
        body = self.body
        model = MODELS.get(self.get(registers.MODEL_NUMBER))
        unit = (model.current_unit if model else None) or 1e-3
        self.set(registers.PRESENT_POSITION, round(body.position) + self.get(registers.HOMING_OFFSET))
        self.set(registers.PRESENT_VELOCITY, round(body.speed / registers.COUNTS_PER_SECOND))
        self.set(registers.PRESENT_CURRENT, min(32767, round(body.current / unit)))
        self.set(registers.PRESENT_TEMPERATURE, min(255, round(body.temperature)))
        return Trouble.NONE, bytes(self.table[address : address + length])

    def write(self, address: int, data: bytes, now: float) -> Trouble:
        """Writes registers, or says why not; then nothing is written."""
        trouble = self._refusal(address, data)
        if trouble is not Trouble.NONE:
            return trouble
        self.body.advance(now)
        self.table[address : address + len(data)] = data
        span = range(address, address + len(data))
        if registers.BUS_WATCHDOG.address in span and self.table[registers.BUS_WATCHDOG.address] == 0:
            self.tripped = None
        if registers.TORQUE_ENABLE.address in span:
            self._switch(now)
        velocity, acceleration = self.get(registers.PROFILE_VELOCITY), self.get(registers.PROFILE_ACCELERATION)
        self.body.speed_limit = velocity * registers.COUNTS_PER_SECOND if velocity else None
        self.body.acceleration = acceleration * 214.577 * 4096.0 / 3600.0 if acceleration else None
        if registers.GOAL_POSITION.address in span:
            if self.table[registers.DRIVE_MODE.address] & 0x08 and not self.body.torque:
                self.set(registers.TORQUE_ENABLE, 1)
                self.body.torque = True
            self.body.tell(self.get(registers.GOAL_POSITION) - self.get(registers.HOMING_OFFSET), now)
        return Trouble.NONE

    def _switch(self, now: float) -> None:
        on = bool(self.table[registers.TORQUE_ENABLE.address])
        if on and not self.body.torque:
            self._heard_at = now
        self.body.torque = on

    def _refusal(self, address: int, data: bytes) -> Trouble:
        end = address + len(data)
        span = range(address, end)
        if not data or end > SIZE:
            return Trouble.DATA_LENGTH
        if any(_overlap(span, fixed) for fixed in _READ_ONLY):
            return Trouble.ACCESS
        if address < registers.EEPROM_END and self.body.torque:
            return Trouble.ACCESS
        if self.tripped is not None and any(_overlap(span, goal) for goal in _LOCKED):
            return Trouble.DATA_RANGE
        torque = registers.TORQUE_ENABLE.address
        if torque in span and data[torque - address] and self.get(registers.HARDWARE_ERROR):
            return Trouble.RESULT_FAIL  # shut down until a reboot
        for first, (size, least, most) in _MOST.items():
            if address <= first and first + size <= end:
                value = int.from_bytes(data[first - address : first - address + size], "little")
                if not least <= value <= most:
                    return Trouble.DATA_RANGE
        return self._beyond_limits(address, data)

    def _beyond_limits(self, address: int, data: bytes) -> Trouble:
        """Goals beyond what the limit registers allow."""

        def given(register: Register) -> int | None:
            at = register.address - address
            inside = at >= 0 and at + register.size <= len(data)
            return register.decode(data, address) if inside else None

        goal, mode = given(registers.GOAL_POSITION), self.get(registers.OPERATING_MODE)
        if goal is not None and mode == 3:
            if not self.get(registers.MIN_POSITION) <= goal <= self.get(registers.MAX_POSITION):
                return Trouble.DATA_LIMIT
        elif goal is not None and abs(goal) > 1_048_575:
            return Trouble.DATA_RANGE
        current = given(registers.GOAL_CURRENT)
        if current is not None and abs(current) > self.get(registers.CURRENT_LIMIT):
            return Trouble.DATA_LIMIT
        velocity = given(registers.PROFILE_VELOCITY)
        if velocity is not None and mode in _POSITION_MODES and velocity > 32767:
            return Trouble.DATA_RANGE
        return Trouble.NONE


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop
