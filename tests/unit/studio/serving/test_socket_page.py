"""What goes over a web socket."""

from __future__ import annotations

import json
import time

import pytest
from websockets.exceptions import ConnectionClosed

from animato.studio.serving.app import MOST_PAGES
from tests.unit.studio.serving.conftest import Served, asked


def pages_left(served: Served, count: int) -> None:
    """Waits until there are so many pages."""
    for _ in range(500):
        if len(served.desk.pages) == count:
            return
        time.sleep(0.01)
    assert len(served.desk.pages) == count


def test_questions_and_answers(served: Served) -> None:
    page = served.page()
    assert asked(page, "hello")["said"] == "hello"
    page.send("not json")
    assert "error" in json.loads(page.recv(5))
    page.send("[" * 50_000)
    assert "error" in json.loads(page.recv(5))
    assert asked(page, "again")["said"] == "again"


def test_two_pages_and_one_that_goes(served: Served) -> None:
    first, second = served.page(), served.page()
    pages_left(served, 2)
    first.close()
    pages_left(served, 1)
    assert asked(second, "alone")["said"] == "alone"


def test_a_flood_is_sent_away_and_others_go_on(served: Served) -> None:
    flood, other = served.page(), served.page()
    with pytest.raises(ConnectionClosed) as closed:
        for _ in range(100_000):
            flood.send('{"do": "echo.say"}')
        flood.recv(5)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008 and "too much" in closed.value.rcvd.reason
    assert served.echo.count <= 10_000
    assert asked(other, "calm")["said"] == "calm"
    pages_left(served, 1)
    assert asked(served.page(), "back")["said"] == "back"


def test_a_flood_does_not_pile_up_before_a_busy_desk(served: Served) -> None:
    page, other = served.page(), served.page()
    served.echo.may_go_on.clear()
    page.send('{"do": "echo.hold"}')
    for _ in range(2_000):
        page.send('{"do": "echo.say"}')
    served.get("/health", served.cookie)  # the server itself is not held up
    queued = served.desk._errands._queue.qsize()
    assert 100 <= queued <= 300
    served.echo.may_go_on.set()
    assert asked(page, "after")["count"] >= 2_001  # and nothing was lost
    assert asked(other, "too")["said"] == "too"


def test_a_message_that_is_too_long(served: Served) -> None:
    page, other = served.page(), served.page()
    with pytest.raises(ConnectionClosed) as closed:
        page.send("x" * 9_000_000)
        page.recv(5)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    assert asked(other, "well")["said"] == "well"


def test_a_page_that_sends_bytes(served: Served) -> None:
    page = served.page()
    page.send(b"\x00\x01")
    with pytest.raises(ConnectionClosed) as closed:
        page.recv(5)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003


def test_who_does_not_read_gets_the_newest(served: Served) -> None:
    slow, other = served.page(max_queue=1, max_size=None), served.page()
    slow.send(json.dumps({"do": "echo.show", "numbers": 25_000, "times": 2_000, "newest_of": "numbers"}))  # 200 MB
    assert asked(other, "quick")["said"] == "quick"  # the desk is through with all of it
    slow.send('{"do": "echo.say", "id": "end"}')
    numbers, last = [], ""
    while not last:
        message = slow.recv(5)
        if isinstance(message, bytes):
            length = int.from_bytes(message[:4], "little")
            numbers.append(json.loads(message[4 : 4 + length])["n"])
        else:
            last = message
    assert numbers == sorted(numbers) and numbers[-1] == 1_999 and len(numbers) < 1_999
    assert json.loads(last)["re"] == "end"


def test_who_does_not_read_at_all_is_sent_away(served: Served) -> None:
    slow, other = served.page(max_queue=1, max_size=None), served.page()
    pages_left(served, 2)
    slow.send('{"do": "echo.show", "numbers": 1000000, "times": 30}')  # 120 MB, all of which matters
    pages_left(served, 1)
    assert asked(other, "well")["said"] == "well"


def test_not_more_pages_than_can_be_served(served: Served) -> None:
    for _ in range(MOST_PAGES):
        served.page()
    with pytest.raises(ConnectionClosed) as closed:
        served.page()
    assert closed.value.rcvd is not None and "close one" in closed.value.rcvd.reason


def test_pages_are_sent_away_when_it_ends(served: Served) -> None:
    page = served.page()
    served.server.close()
    with pytest.raises(ConnectionClosed):
        page.recv(5)
