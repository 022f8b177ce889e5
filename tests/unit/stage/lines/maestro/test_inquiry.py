"""Questions to a Maestro whose answers nothing protects, against answers that are written down here."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from animato.stage.lines import Feedback, LineError
from animato.stage.lines.maestro.inquiry import Inquiry
from animato.stage.lines.maestro.maestro_words import MaestroWords

TOLD = [6000, 6400, 5600]


class Board:
    """Answers at once. `spoil` is asked what becomes of each answer."""

    def __init__(self) -> None:
        self.pulses = list(TOLD)
        self.errors = 0
        self.spoil: Callable[[bytes], bytes] = lambda answer: answer
        self._out = b""

    def write(self, data: bytes) -> None:
        value = self.errors if data[0] == 0xA1 else self.pulses[data[1]]
        self.errors = 0 if data[0] == 0xA1 else self.errors
        self._out += self.spoil(value.to_bytes(2, "little"))

    def read(self) -> bytes:
        out, self._out = self._out, b""
        return out

    drain = read

    def close(self) -> None:
        pass


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def inquiry(board: Board) -> Inquiry:
    return Inquiry(board, MaestroWords(), range(3), lambda: TOLD, lambda: LineError("silent"))


def polled(inquiry: Inquiry, count: int = 1) -> list[Feedback]:
    return [one for _ in range(count) for one in inquiry.poll(0.05)]


def test_everybody_is_heard_once_a_poll(inquiry: Inquiry) -> None:
    assert [(one.id, one.position, one.fault) for one in polled(inquiry)] == [
        (0, 1500.0, ""),
        (1, 1600.0, ""),
        (2, 1400.0, ""),
    ]
    polled(inquiry, 2)
    assert inquiry.polls_a_round == 1
    assert inquiry.lost == 0


@pytest.mark.parametrize("seed", range(6))
def test_spoiled_answers_are_borne_and_counted(board: Board, inquiry: Inquiry, seed: int) -> None:
    dice = random.Random(seed)

    def spoil(answer: bytes) -> bytes:
        if dice.random() > 0.1:
            return answer
        bit = dice.randrange(16)
        return (int.from_bytes(answer, "little") ^ 1 << bit).to_bytes(2, "little")

    board.spoil = spoil
    heard = polled(inquiry, 40)
    assert inquiry.lost > 0
    assert not any(one.fault for one in heard)
    wrong = [one for one in heard if one.position is not None and abs(one.position * 4 - TOLD[one.id]) > 400]
    assert len(wrong) <= 1  # the same bit twice running; the watch takes no single reading for a fault


def test_a_pulse_that_is_really_elsewhere_is_believed(board: Board, inquiry: Inquiry) -> None:
    board.pulses[1] = 8000
    assert [one.position for one in polled(inquiry)] == [1500.0, 2000.0, 1400.0]


def test_pulses_that_are_off_are_a_fault(board: Board, inquiry: Inquiry) -> None:
    board.pulses[2] = 0
    assert "no pulses" in polled(inquiry)[2].fault


def test_an_error_counts_at_once_where_pulses_are_off(board: Board, inquiry: Inquiry) -> None:
    board.errors, board.pulses[0] = 1 << 4, 0
    assert "protocol error" in polled(inquiry)[0].fault


def test_an_error_counts_when_it_comes_again(board: Board, inquiry: Inquiry) -> None:
    for _ in range(2):
        board.errors = 1 << 3
        assert not any(one.fault for one in polled(inquiry))
    board.errors = 1 << 3
    assert any("CRC" in one.fault for one in polled(inquiry))


def test_silence_is_an_error(board: Board, inquiry: Inquiry) -> None:
    polled(inquiry)
    board.spoil = lambda answer: b""
    with pytest.raises(LineError, match="silent"):
        polled(inquiry, 100)
    board.spoil = lambda answer: answer
    time.sleep(0.03)  # then it is asked again at once
    assert len(polled(inquiry, 2)) >= 3
