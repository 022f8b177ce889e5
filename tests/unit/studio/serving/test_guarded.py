"""Who is let in."""

from __future__ import annotations

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.unit.studio.serving.conftest import Served

PATHS = ("/", "/page/main.js", "/player.js", "/health", "/download/a.csv", "/favicon.ico", "/nothing")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_without_the_token(served: Served, path: str) -> None:
    assert served.get(path)[0] == 403
    assert served.get(f"{path}?token=wrong")[0] == 403
    assert served.get(f"{path}?token=")[0] == 403
    assert served.get(path, {"Cookie": "animato_00=wrong"})[0] == 403
    assert served.get(f"{path}?token={served.server.token}")[0] in (200, 204, 404)


def test_a_refusal_gives_nothing_away(served: Served) -> None:
    status, headers, body = served.get("/?token=wrong")
    assert status == 403 and b"token" in body and served.server.token.encode() not in body
    assert "set-cookie" not in headers


def test_another_name_for_this_machine(served: Served) -> None:
    """DNS rebinding: the browser thinks it talks to its own site."""
    for host in ("evil.example", f"evil.example:{served.server.port}", "127.0.0.1.evil.example", ""):
        assert served.get("/", {**served.cookie, "Host": host})[0] in (400, 403)
        assert served.get(f"/?token={served.server.token}", {"Host": host})[0] in (400, 403)


def test_this_machine_by_its_other_names(served: Served) -> None:
    assert served.get("/", {**served.cookie, "Host": f"localhost:{served.server.port}"})[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_another_site(served: Served, origin: str) -> None:
    cookie = served.cookie
    assert served.get("/", {**cookie, "Origin": origin})[0] == 403
    body = b"1,2\n"
    assert served.get("/upload?purpose=clip&name=a.csv", {**cookie, "Origin": origin}, "POST", body)[0] == 403
    assert list(served.folder.iterdir()) == []
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://{served.host}/ws", origin=origin, additional_headers=cookie, proxy=None)  # type: ignore[arg-type]


def test_the_page_itself_may(served: Served) -> None:
    cookie = served.cookie
    assert served.get("/", {**cookie, "Origin": f"http://{served.host}"})[0] == 200
    served.page(origin=f"http://{served.host}", additional_headers=cookie)


@pytest.mark.parametrize("query", ["", "?token=wrong"])
def test_a_socket_without_the_token(served: Served, query: str) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        connect(f"ws://{served.host}/ws{query}", proxy=None)
    assert served.desk.pages == ()


def test_what_a_browser_is_told(served: Served) -> None:
    for path in ("/", "/page/main.js", "/player.js", "/health", "/nothing"):
        _, headers, _ = served.get(path, served.cookie)
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy and f"connect-src 'self' ws://{served.host};" in policy
        assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY" and headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin" and headers["cache-control"] == "no-cache"
        assert "access-control-allow-origin" not in headers


def test_the_cookie_is_for_this_site_and_no_script(served: Served) -> None:
    _, headers, _ = served.get(f"/?token={served.server.token}")
    assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]


def test_a_host_cannot_write_into_the_policy(served: Served) -> None:
    _, headers, _ = served.get("/", {**served.cookie, "Host": f"127.0.0.1:{served.server.port}; script-src *"})
    assert "script-src" not in headers.get("content-security-policy", "")
