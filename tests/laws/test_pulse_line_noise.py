"""Whatever bytes come back, a line to a controller of pulses raises nothing but a LineError."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.character import Bus, BusKind, Scale, Wire
from animato.stage.emulated.bottango_board import BottangoBoard
from animato.stage.lines import LineError, Slot
from animato.stage.lines.bottango import BottangoLine, bottango_line, courier
from animato.stage.lines.maestro import MaestroLine, inquiry, maestro_line

SCALE = Scale(1500.0, 600.0, 500.0, 2500.0)
SLOTS = [Slot(Wire(f"joint {n}", "arm", n, zero=1500.0), SCALE, 900.0, 600.0, 2400.0) for n in range(2)]
answers = st.lists(st.one_of(st.binary(max_size=12), st.sampled_from([b"OK\n", b"HASH_FAIL\n", b"BOOT\n", b"err\n"])))


class Babbler:
    """A port that answers as it should while it is `polite`, then what a test drew, then nothing."""

    def __init__(self, said: list[bytes], answer: bytes) -> None:
        self._said = list(said)
        self._answer = answer
        self._owed = 0
        self.polite = True

    def write(self, data: bytes) -> None:
        self._owed += 1

    def read(self) -> bytes:
        time.sleep(0.0002)
        if self.polite:
            owed, self._owed = self._owed, 0
            return self._answer * owed
        return self._said.pop(0) if self._said else b""

    def drain(self) -> bytes:
        self._owed = 0
        return b""

    def close(self) -> None:
        pass


def tried(calls: list[Callable[[], object]]) -> None:
    for call in calls:
        try:
            call()
        except LineError as error:
            assert "arm" in str(error)


@settings(max_examples=60, deadline=None)
@given(said=answers, is_prepared=st.booleans())
def test_a_maestro_that_babbles(said: list[bytes], is_prepared: bool) -> None:
    port = Babbler(said, b"\0\0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maestro_line, "open_port", lambda *_: port)
        line = MaestroLine(Bus("arm", BusKind.MAESTRO, "/dev/none"))
        if is_prepared:
            line.patience_s = 5.0
            line.prepare(SLOTS)
        patch.setattr(inquiry, "_SILENCE_S", 0.004)
        line.patience_s, port.polite = 0.01, False
        told = np.array([1500.0, 1600.0])
        if is_prepared:
            tried([line.positions, lambda: line.enable(told), lambda: line.send(told, 0.0), lambda: line.poll(0.005)])
            tried([line.hold, line.release])
        tried([line.find, lambda: line.prepare(SLOTS), line.close])


@settings(max_examples=30, deadline=None)
@given(said=answers, is_prepared=st.booleans())
def test_a_bottango_driver_that_babbles(said: list[bytes], is_prepared: bool) -> None:
    port = Babbler(said, b"OK\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottango_line, "open_port", lambda *_: port)
        patch.setattr(bottango_line, "greeted", lambda *_: "0.8")
        patch.setattr(bottango_line, "_HOLD_S", 0.01)
        line = BottangoLine(Bus("arm", BusKind.BOTTANGO, "/dev/none"))
        told = np.array([1500.0, 1600.0])
        if is_prepared:
            line.patience_s = 5.0
            line.prepare(SLOTS)
            line.enable(told)
        patch.setattr(courier, "_SILENCE_S", (0.01, 0.01))
        patch.setattr(courier, "_LOST_S", (0.003, 0.003))
        line.patience_s, line.ahead_s, port.polite = 0.02, 0.01, False
        if is_prepared:
            tried([lambda: line.send(told, time.monotonic()), lambda: line.send(told + 5.0, time.monotonic() + 0.02)])
            tried([lambda: line.poll(0.0), line.positions, line.hold, lambda: line.enable(told), line.release])
        tried([line.find, lambda: line.prepare(SLOTS), line.close])


@settings(max_examples=100, deadline=None)
@given(
    heard=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.from_regex(r"(sC|rSVPin|tSYN|xUE|hRQ|sCI)(,-?[0-9]{1,6}){0,10}\n", fullmatch=True),
        )
    )
)
def test_the_emulated_board_bears_everything(heard: list[bytes | str]) -> None:
    board = BottangoBoard(checks=False)
    for number, one in enumerate(heard):
        board.hear(one.encode() if isinstance(one, str) else one, 1.0 + number * 0.01)
        board.tick(1.0 + number * 0.01)
