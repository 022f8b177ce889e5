"""How the studio is opened and ended."""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from animato.errors import AnimatoError, MissingDependencyError, OptionError
from animato.formats import load_character
from animato.studio.desk import Desk
from animato.studio.document import Document
from animato.studio.serving import Server, check_installed, running, serve
from animato.studio.serving.ports import FIRST_PORT
from animato.studio.serving.running import advice, has_screen


@dataclass
class Opened:
    """A studio that remembers whether it was closed."""

    desk: Desk
    folder: Path
    closed: int = 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def studio(tmp_path: Path) -> Opened:
    return Opened(Desk(Document(load_character("lamp"), "lamp")), tmp_path)


def is_heard(number: signal.Signals) -> bool:
    """Whether Python, or anybody, takes a signal; else it ends the process, and all tests with it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return signal.getsignal(number) is not signal.SIG_DFL
    caught = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def interrupt_when_it_waits(monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    """Sends a signal to this process, from another thread, as soon as `serve` has nothing left to do but to wait."""
    wait = Server.wait
    sent: list[threading.Thread] = []

    def send(server: Server) -> None:
        if is_heard(number):
            os.kill(os.getpid(), number)
        else:
            server.close()

    def waited(server: Server, seconds: float | None = None) -> None:
        if not sent:
            sent.append(threading.Thread(target=send, args=(server,)))
            sent[0].start()
        wait(server, seconds)

    monkeypatch.setattr(Server, "wait", waited)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_until_it_is_interrupted(studio: Opened, number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, seen = [], []
    monkeypatch.setattr(running, "has_screen", lambda: True)
    monkeypatch.setattr(running.webbrowser, "open", opened.append)

    def ready(address: str) -> None:
        host, _, rest = address.removeprefix("http://").partition("/")
        connection = http.client.HTTPConnection(host, timeout=5)
        connection.request("GET", f"/{rest}")
        seen.append(connection.getresponse().status)
        connection.close()

    interrupt_when_it_waits(monkeypatch, number)
    before = signal.getsignal(number)
    serve(lambda: studio, ready=ready)
    assert seen == [200] and studio.closed == 1 and len(opened) == 1 and "token=" in opened[0]
    assert signal.getsignal(number) is before


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_interrupts_are_heard_where_a_library_took_them_from_python() -> None:
    """As meshers in C do; Python does not hear of that."""
    heard: list[bool] = []

    def opening() -> Opened:
        heard.append(is_heard(signal.SIGINT))
        raise KeyboardInterrupt

    ctypes.CDLL(None).signal(signal.SIGINT, ctypes.c_void_p(signal.SIG_DFL))
    try:
        assert not is_heard(signal.SIGINT)
        serve(opening, open_browser=False)
    finally:
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    assert heard == [True] and is_heard(signal.SIGINT)


def test_the_page_is_there_before_the_studio(studio: Opened) -> None:
    with Server() as server:
        host = f"127.0.0.1:{server.port}"
        connection = http.client.HTTPConnection(host, timeout=5)
        connection.request("GET", f"/?token={server.token}")
        assert connection.getresponse().status == 200
        connection.close()
        studio.desk.start()
        threading.Timer(0.05, server.open, (studio.desk, studio.folder)).start()
        with connect(f"ws://{host}/ws?token={server.token}", proxy=None) as page:
            assert json.loads(page.recv(5))["say"] == "hello"
    studio.desk.close()


def test_a_page_hears_why_there_is_no_studio(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def look(address: str) -> None:
        """A browser that is opened, and quicker than the studio."""
        with connect(address.replace("http:", "ws:").replace("/?", "/ws?"), proxy=None) as page:
            heard.append(json.loads(page.recv(5))["words"])

    def opening() -> Opened:
        raise AnimatoError("The folder is used by another studio.")

    monkeypatch.setattr(running, "has_screen", lambda: True)
    monkeypatch.setattr(running.webbrowser, "open", look)
    with pytest.raises(AnimatoError, match="another studio"):
        serve(opening)
    assert heard == ["The folder is used by another studio."]


def test_who_waits_for_a_studio_that_never_opens_is_let_go() -> None:
    server = Server()
    ended: list[str] = []

    def wait() -> None:
        address = f"ws://127.0.0.1:{server.port}/ws?token={server.token}"
        may_be_late = contextlib.suppress(WebSocketException, EOFError, OSError)
        with may_be_late, connect(address, proxy=None) as page:
            page.recv(5)
        ended.append("let go")

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.1)
    server.close()
    waiting.join(5)
    assert not server.running and not waiting.is_alive() and ended == ["let go"]


def test_it_is_served_before_animato_is_loaded() -> None:
    program = "import sys, animato.studio.serving.server; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_ports() -> None:
    with Server() as first, Server() as second:
        assert FIRST_PORT <= first.port < second.port
        with pytest.raises(AnimatoError, match="taken"):
            Server(port=first.port)
    with Server(port=first.port) as again:  # at once free again
        assert again.port == first.port
    with pytest.raises(OptionError, match="65535"):
        Server(port=70_000)
    with pytest.raises(OptionError, match="not an address"):
        Server(host="no.such.host.invalid")


def test_only_this_machine_can_reach_it() -> None:
    with Server() as server, socket.create_connection(("127.0.0.1", server.port)) as line:
        assert line.getpeername()[0] == "127.0.0.1"
        other = f"127.0.0.2:{server.port}"  # another address of this machine: as the network would see it
        with pytest.raises(OSError), socket.create_connection(tuple(other.split(":")), timeout=1):
            pass


def test_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://127.0.0.1:8130/?token=abc"
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert advice(address, "127.0.0.1", 8130, opens=True) == ["It is open. Work is kept as you go; Ctrl-C ends it."]
    assert not any("screen" in line for line in advice(address, "127.0.0.1", 8130, opens=False, wanted=False))
    assert any("no screen" in line for line in advice(address, "127.0.0.1", 8130, opens=False))
    monkeypatch.setenv("SSH_CONNECTION", "1.2.3.4 1 5.6.7.8 22")
    assert any("ssh -L 8130" in line for line in advice(address, "127.0.0.1", 8130, opens=False))
    monkeypatch.setattr(running, "network_address", lambda port: f"http://192.168.0.7:{port}")
    said = advice(address, "0.0.0.0", 8130, opens=True)
    assert any("http://192.168.0.7:8130/?token=abc" in line for line in said)
    assert any("Everybody in the network" in line for line in said)


def test_the_address_is_said_at_once(
    studio: Opened, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def opening() -> Opened:
        said.append(capsys.readouterr().err)
        return studio

    interrupt_when_it_waits(monkeypatch, signal.SIGINT)
    serve(opening, open_browser=False)
    assert "/?token=" in said[0] and "It is open" in capsys.readouterr().err


def test_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(running.sys, "platform", "linux")
    assert not has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_screen()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setattr(running, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"animato\[studio\]"):
        check_installed()


def test_the_network_may_look_where_it_is_asked_to() -> None:
    with Server(host="0.0.0.0") as server:
        for host, status in (("192.168.0.7", 200), ("127.0.0.1", 200), ("evil.example", 403)):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
            connection.request("GET", f"/?token={server.token}", headers={"Host": f"{host}:{server.port}"})
            answer = connection.getresponse()
            assert answer.status == status
            # browsers complain about it where a page does not come from their own machine
            assert ("cross-origin-opener-policy" in answer.headers) == (host == "127.0.0.1")
            connection.close()
