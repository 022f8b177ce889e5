"""Those who hold a connection and ask for nothing."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from animato.studio.serving import prompt_protocol
from tests.unit.studio.serving.conftest import Served, asked


def is_closed(line: socket.socket) -> bool:
    """Whether the other side has ended it; waits for that."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_a_request_that_does_not_come_is_not_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(prompt_protocol, "PATIENCE_S", 0.2)
    with served.raw() as line:
        line.sendall(said)
        assert is_closed(line)


def test_a_web_socket_may_be_silent(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_protocol, "PATIENCE_S", 0.2)
    page = served.page()
    with served.raw() as line:
        assert is_closed(line)  # so long have both been silent
    assert asked(page, "still here")["said"] == "still here"


def test_many_connections_leave_room_for_files(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_protocol, "MOST_CONNECTIONS", 5)
    with ExitStack() as held:
        lines = [held.enter_context(served.raw()) for _ in range(20)]
        assert all(is_closed(line) for line in lines[5:])
        lines[0].settimeout(0.05)
        assert not is_closed(lines[0])
