"""What waits for a page, and how much it may send."""

from __future__ import annotations

from animato.studio.serving.allowance import Allowance, Rate
from animato.studio.serving.outbox import Outbox


def taken(outbox: Outbox) -> list[str | bytes]:
    found = []
    while (message := outbox.take()) is not None:
        found.append(message)
    return found


def test_in_order() -> None:
    outbox = Outbox()
    assert all(outbox.put(word) for word in ("a", b"b", "c"))
    assert taken(outbox) == ["a", b"b", "c"] and outbox.size == 0 and outbox.take() is None


def test_the_newest_stands_where_it_came() -> None:
    outbox = Outbox()
    for message, name in (("pose 1", "pose"), ("document", ""), ("pose 2", "pose"), ("gaze", "gaze"), ("end", "")):
        outbox.put(message, name)
    assert taken(outbox) == ["document", "pose 2", "gaze", "end"]


def test_what_was_sent_is_not_taken_back() -> None:
    outbox = Outbox()
    outbox.put("pose 1", "pose")
    assert outbox.take() == "pose 1"
    outbox.put("pose 2", "pose")
    outbox.put("pose 3", "pose")
    assert taken(outbox) == ["pose 3"]


def test_it_is_bounded() -> None:
    outbox = Outbox(most_bytes=10)
    assert outbox.put("x" * 20)  # one alone may be long
    assert not outbox.put("y")
    outbox.take()
    assert outbox.put("y" * 6) and outbox.put("z" * 4) and not outbox.put("!")
    assert outbox.size == 10


def test_the_newest_makes_room_for_itself() -> None:
    outbox = Outbox(most_bytes=10)
    assert all(outbox.put("x" * 8, "pose") for _ in range(100))
    assert len(outbox) == 1 and outbox.size == 8


def test_a_rate_for_as_long_as_one_likes_and_a_burst() -> None:
    now = [0.0]
    allowance = Allowance(Rate(100.0, 50.0), Rate(1e9, 1e9), clock=lambda: now[0])
    assert all(allowance.takes(1) for _ in range(50)) and not allowance.takes(1)
    now[0] += 100.0  # a rest fills it, and not more than full
    assert all(allowance.takes(1) for _ in range(50)) and not allowance.takes(1)
    now[0] += 1.0
    for _ in range(1000):
        now[0] += 0.0101
        assert allowance.takes(1)


def test_bytes_count_too() -> None:
    allowance = Allowance(Rate(1e9, 1e9), Rate(1000.0, 5000.0), clock=lambda: 0.0)
    assert allowance.takes(5000) and not allowance.takes(1)
