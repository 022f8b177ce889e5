"""A servo whose answer was missed once is found all the same."""

from __future__ import annotations

from animato.stage.emulated import FeetechEmulator
from animato.stage.servos import find_servos


class LateOnce(FeetechEmulator):
    """Servos of which number 2 is not heard when all are called, nor when it is called for the first time."""

    unheard = 2

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        answers = []
        for id, answer in super()._hear(data, now):
            if id == 2 and self.unheard > 0:
                self.unheard -= 1
            else:
                answers.append((id, answer))
        return answers


def test_a_servo_that_was_missed_is_called_again() -> None:
    with LateOnce((1, 2, 3)) as bus:
        (found,) = find_servos([bus.port], "feetech")
        assert bus.unheard == 0
        assert [servo.id for servo in found.servos] == [1, 2, 3]
