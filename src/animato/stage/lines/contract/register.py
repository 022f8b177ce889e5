"""A value in a servo's control table: where it is and how it is written down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Register:
    """A value in the control table of a servo.

    Attributes:
        address: Of its first byte.
        size: In bytes; the lowest comes first.
        signed: Whether it is a two's complement.
        sign_bit: The bit that says that the rest is negative, where the servo counts so; else None.
    """

    address: int
    size: int
    signed: bool = False
    sign_bit: int | None = None

    def encode(self, value: int) -> bytes:
        """The value as the servo keeps it.

        Raises:
            OverflowError: It does not fit.
        """
        if self.sign_bit is not None:
            if abs(value) >= 1 << self.sign_bit:
                raise OverflowError(f"{value} does not fit into {self.sign_bit} bits.")
            value = abs(value) | (1 << self.sign_bit if value < 0 else 0)
        return value.to_bytes(self.size, "little", signed=self.signed)

    def decode(self, data: bytes, start: int = 0) -> int:
        """The value in a copy of the control table that begins at address `start`."""
        at = self.address - start
        value = int.from_bytes(data[at : at + self.size], "little", signed=self.signed)
        if self.sign_bit is None:
            return value
        size = value & ((1 << self.sign_bit) - 1)
        return -size if value >> self.sign_bit & 1 else size
