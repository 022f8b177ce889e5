from __future__ import annotations

import os
import time

import pytest

from animato.stage.lines.contract.ear import Ear

pty = pytest.importorskip("pty", reason="this system has no ptys")


@pytest.fixture
def ends() -> tuple[int, int]:
    import tty

    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(slave, False)
    return master, slave


def _taken(ear: Ear, count: int) -> bytes:
    data, until = b"", time.monotonic() + 10.0
    while len(data) < count and time.monotonic() < until:
        data += ear.take(0.01)
    return data


def test_all_that_comes_in_is_taken_in_order(ends: tuple[int, int]) -> None:
    master, slave = ends
    ear = Ear(slave)
    sent = bytes(range(256)) * 4
    for start in range(0, len(sent), 100):
        os.write(master, sent[start : start + 100])
    assert _taken(ear, len(sent)) == sent
    assert ear.take() == b""
    ear.close()
    ear.close()
    os.close(master)
    os.close(slave)


def test_what_came_before_the_cable_was_pulled_is_heard_and_then_it_is_said(ends: tuple[int, int]) -> None:
    master, slave = ends
    ear = Ear(slave)
    os.write(master, b"last words")
    assert _taken(ear, 10) == b"last words"
    os.close(master)
    with pytest.raises(OSError, match=r"."):
        _taken(ear, 1)
    ear.close()
    os.close(slave)
