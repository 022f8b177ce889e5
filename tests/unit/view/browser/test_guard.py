"""Who may look at a page: only who has its token, under its own name, from no other site."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

pytest.importorskip("viser")

from animato.character import Character
from animato.errors import AnimatoError
from animato.formats import load_character
from animato.view.browser import start_player
from animato.view.browser.guard import Guard
from animato.view.browser.player import Player

UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n"
)


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    started = start_player(load_character("lamp"), port=0)
    yield started
    started.stop()


def asked(player: Player, path: str, headers: str) -> tuple[int, str]:
    """Status and whole answer of a request that is written by hand."""
    parts = urlsplit(player.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\n{headers}\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            piece = line.recv(65536)
            if not piece:
                break
            answer += piece
    text = answer.decode("latin-1")
    return int(text.split(" ", 2)[1]), text


def token_path(player: Player) -> str:
    return f"/?{urlsplit(player.url).query}"


def host(player: Player) -> str:
    return urlsplit(player.url).netloc


def test_the_address_opens_the_page_and_a_cookie_opens_the_rest(player: Player) -> None:
    status, answer = asked(player, token_path(player), f"Host: {host(player)}\r\n")
    assert status == 200
    cookie = next(line for line in answer.split("\r\n") if line.lower().startswith("set-cookie:"))
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    kept = cookie.split(":", 1)[1].split(";")[0].strip()
    assert asked(player, "/", f"Host: {host(player)}\r\nCookie: {kept}\r\n")[0] == 200
    socket_headers = f"Host: {host(player)}\r\nOrigin: http://{host(player)}\r\nCookie: {kept}\r\n{UPGRADE}"
    assert asked(player, "/", socket_headers)[0] == 101


@pytest.mark.parametrize("upgrade", ["", UPGRADE])
def test_without_the_token_nothing_is_served(player: Player, upgrade: str) -> None:
    own = f"Host: {host(player)}\r\n"
    assert asked(player, "/", own + upgrade)[0] == 403
    assert asked(player, "/?token=", own + upgrade)[0] == 403
    assert asked(player, "/?token=guess", own + upgrade)[0] == 403
    assert asked(player, "/", f"{own}Cookie: animato=guess\r\n{upgrade}")[0] == 403


@pytest.mark.parametrize("upgrade", ["", UPGRADE])
@pytest.mark.parametrize(
    "name", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", "8.8.8.8:{port}"]
)
def test_a_name_that_was_made_to_mean_this_machine_is_refused(player: Player, name: str, upgrade: str) -> None:
    given = name.format(port=urlsplit(player.url).port)
    assert asked(player, token_path(player), f"Host: {given}\r\n{upgrade}")[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost", "file://"]
)
def test_a_web_socket_of_another_site_is_refused(player: Player, origin: str) -> None:
    headers = f"Host: {host(player)}\r\nOrigin: {origin}\r\n{UPGRADE}"
    assert asked(player, token_path(player), headers)[0] == 403


def test_localhost_is_this_machine_too(player: Player) -> None:
    given = f"localhost:{urlsplit(player.url).port}"
    headers = f"Host: {given}\r\nOrigin: http://{given}\r\n{UPGRADE}"
    assert asked(player, token_path(player), headers)[0] == 101


def test_tokens_are_not_guessed(post: Character) -> None:
    assert Guard("127.0.0.1").token != Guard("127.0.0.1").token
    assert len(Guard("127.0.0.1").token) >= 24


def test_a_server_that_cannot_be_guarded_is_not_left_open(post: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: were viser to serve in another way, the page would not be served at all."""
    monkeypatch.setattr(Guard, "around", lambda self, answer: answer)
    with pytest.raises(AnimatoError, match="viser"):
        start_player(post, port=0)
