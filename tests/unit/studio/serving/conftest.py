"""A studio with one small tool, served on a free port of this machine."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import ClientConnection, connect

from animato.formats import load_character
from animato.studio.desk import Answer, Desk, Fields, Page
from animato.studio.document import Document
from animato.studio.serving import Server


class Echo:
    """A tool that answers what it is told, and can be held up."""

    name = "echo"

    def __init__(self, desk: Desk) -> None:
        self.desk, self.count = desk, 0
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def answers(self) -> Mapping[str, Answer]:
        return {"echo.say": self._say, "echo.hold": self._hold, "echo.show": self._show}

    def state(self) -> Mapping[str, Any]:
        return {}

    def welcome(self, page: Page) -> None: ...
    def changed(self, before: Document, after: Document) -> None: ...
    def left(self, page: Page) -> None: ...
    def close(self) -> None: ...

    def _say(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        self.count += 1
        return {"said": fields.text("words", "nothing"), "count": self.count}

    def _hold(self, page: Page, fields: Fields) -> None:
        self.may_go_on.wait(5.0)

    def _show(self, page: Page, fields: Fields) -> None:
        """Sends many numbers to one page."""
        numbers = np.zeros(fields.whole("numbers", most=10_000_000))
        for n in range(fields.whole("times", most=100_000)):
            self.desk.show("numbers", {"n": n}, {"zeros": numbers}, page, newest_of=fields.text("newest_of", "") or "")


@dataclass
class Served:
    """What tests ask."""

    server: Server
    desk: Desk
    echo: Echo
    folder: Path
    sockets: list[ClientConnection] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    @property
    def cookie(self) -> dict[str, str]:
        """What a browser has that opened the page."""
        _, headers, _ = self.get(f"/?token={self.server.token}")
        return {"Cookie": headers["set-cookie"].split(";")[0]}

    def get(
        self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET", body: Any = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; `Host` may be another one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        given = {"Host": self.host, **(headers or {})}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in given:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        try:
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def page(self, **options: Any) -> ClientConnection:
        """A page that has come; its `hello` was read."""
        options.setdefault("additional_headers", self.cookie)
        one = connect(f"ws://{self.host}/ws", proxy=None, close_timeout=0.5, **options)
        self.sockets.append(one)
        assert json.loads(one.recv(5))["say"] == "hello"
        return one

    def raw(self) -> socket.socket:
        """A line to the server, for what no client would send."""
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=10)


def asked(page: ClientConnection, words: str) -> Mapping[str, Any]:
    """What the tool answers."""
    page.send(json.dumps({"do": "echo.say", "id": words, "words": words}))
    while True:
        message = page.recv(5)
        if isinstance(message, str) and (told := json.loads(message)).get("re") == words:
            return told


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "project"
    folder.mkdir()
    desk = Desk(Document(load_character("lamp"), "lamp"))
    echo = Echo(desk)
    desk.equip([echo])
    desk.start()
    with Server() as server:
        server.open(desk, folder)
        one = Served(server, desk, echo, folder)
        yield one
        echo.may_go_on.set()
        for page in one.sockets:
            page.close()
    desk.close()
    assert not server.running
