"""What a courier does when answers are lost, against a driver that is written down here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from animato.stage.lines.bottango import courier as courier_room
from animato.stage.lines.bottango.courier import Courier


class Driver:
    """Takes commands and answers what `answer` says."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.answer: Callable[[str], bytes] = lambda text: b"OK\n"
        self._out = b""
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        with self._lock:
            text = data.decode().rpartition(",h")[0]
            self.heard.append(text)
            self._out += self.answer(text)

    def read(self) -> bytes:
        time.sleep(0.0005)
        with self._lock:
            out, self._out = self._out, b""
        return out

    drain = read

    def close(self) -> None:
        pass


@pytest.fixture
def driver() -> Driver:
    return Driver()


@pytest.fixture
def courier(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Courier]:
    monkeypatch.setattr(courier_room, "_SILENCE_S", (5.0, 5.0))  # a loaded machine is no silent driver
    made = Courier(driver, "arm", 63, lambda now: None, 1e-4)
    yield made
    made.close()


def test_nothing_goes_before_the_time_is_answered(driver: Driver, courier: Courier) -> None:
    lost = [True] * 5
    driver.answer = lambda text: b"" if text.startswith("tSYN") and lost and lost.pop() else b"OK\n"
    time_sync = courier.sync()
    courier.put(lambda: "sC,1")
    courier.drop()  # what was told of the time must still be known
    late = courier.put(lambda: "sC,2")
    assert late.done.wait(5.0)
    assert time_sync.is_fine and late.is_fine
    assert [text[:4] for text in driver.heard[:6]] == ["tSYN"] * 6
    assert courier.synced_ms == int(driver.heard[5].partition(",")[2])
    assert courier.lost == 5


def test_lost_answers_are_no_spoiled_commands(driver: Driver, courier: Courier) -> None:
    count = [0]

    def answer(text: str) -> bytes:
        count[0] += 1
        return b"OK\n" if count[0] % 2 else b"K\n"  # half of all answers are spoiled

    driver.answer = answer
    for n in range(40):
        assert courier.put(lambda n=n: f"sC,{n}").done.wait(5.0)  # type: ignore[misc]
    courier.check()
    assert courier.lost >= 30
    assert {f"sC,{n}" for n in range(40)} <= set(driver.heard)
