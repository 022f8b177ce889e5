"""MIDI time code: quarter frames and full frames as seconds.

A quarter frame carries one of eight nibbles of a time; the time that eight of them spell is that of the moment of the
first. Each is a quarter of a frame after the one before, so after the eighth the time is 7/4 frames later.
"""

from __future__ import annotations

from fractions import Fraction

RATES = (Fraction(24), Fraction(25), Fraction(30000, 1001), Fraction(30))
"""Frames a second by the code of two bits; the third drops frame numbers so that it shows the time of day."""

_DROP = 2
_PIECES = 8


def seconds_of(hours: int, minutes: int, seconds: int, frames: int, code: int) -> Fraction:
    """A time code in seconds, exactly.

    Drop frame leaves out the numbers 0 and 1 at each minute but every tenth.

    Args:
        hours: As shown.
        minutes: As shown.
        seconds: As shown.
        frames: As shown.
        code: Which of `RATES`.
    """
    shown = 30 if code == _DROP else int(RATES[code])
    count = ((hours * 60 + minutes) * 60 + seconds) * shown + frames
    if code == _DROP:
        past = hours * 60 + minutes
        count -= 2 * (past - past // 10)
    return count / RATES[code]


class TimeCode:
    """Puts quarter frames together; a lost or doubled one costs the time until the next eight."""

    def __init__(self) -> None:
        self._nibbles: list[int] = []
        self._next = 0
        self._time: Fraction | None = None
        self._rate = RATES[3]

    def quarter(self, piece: int, nibble: int) -> float | None:
        """Takes a quarter frame.

        Args:
            piece: Which of the eight, 0 to 7.
            nibble: Its four bits.

        Returns:
            The time at its arrival [s]; None until eight in a row were heard.
        """
        if piece != self._next:
            self._nibbles, self._time = [], None  # one was lost, or it runs backwards
            if piece != 0:
                self._next = 0
                return None
        elif piece == 0:
            self._nibbles = []
        self._nibbles.append(nibble)
        self._next = (piece + 1) % _PIECES
        if self._time is not None:
            self._time += Fraction(1, 4) / self._rate
        if len(self._nibbles) == _PIECES:
            self._time = self._spelled()
        return None if self._time is None else float(self._time)

    def full(self, data: tuple[int, ...]) -> float | None:
        """Takes the bytes of a system exclusive message, without its ends.

        Returns:
            The time to which a full frame jumps [s]; None where it is another message.
        """
        if len(data) != 8 or data[0] != 0x7F or data[2:4] != (0x01, 0x01):
            return None
        hours, minutes, seconds, frames = data[4:]
        self._nibbles, self._time, self._next = [], None, 0
        code = hours >> 5 & 3
        self._rate = RATES[code]
        return float(seconds_of(hours & 31, minutes, seconds, frames, code))

    def _spelled(self) -> Fraction | None:
        low_high = [self._nibbles[n] | self._nibbles[n + 1] << 4 for n in range(0, _PIECES, 2)]
        frames, seconds, minutes, hours = low_high[0] & 31, low_high[1] & 63, low_high[2] & 63, low_high[3]
        code = hours >> 5 & 3
        self._rate = RATES[code]
        return seconds_of(hours & 31, minutes, seconds, frames, code) + Fraction(7, 4) / self._rate
