"""What is served of files, and what is not."""

from __future__ import annotations

import pytest

from tests.unit.studio.serving.conftest import Served

OUTSIDE = (
    "/page/../serving/app.py",
    "/page/../../desk/desk.py",
    "/page/%2e%2e/serving/app.py",
    "/page/..%2fserving/app.py",
    "/page/%2e%2e%2fserving%2fapp.py",
    "/page/..%5cserving%5capp.py",
    "/page//etc/passwd",
    "/page/%2fetc%2fpasswd",
    "/page/core/../../serving/app.py",
    "/page/main.js%00.css",
)


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_file_outside_the_page(served: Served, path: str) -> None:
    status, _, body = served.get(path, served.cookie)
    assert status in (400, 403, 404) and b"import" not in body and b"root:" not in body


def test_the_page_and_its_files(served: Served) -> None:
    status, headers, body = served.get("/", served.cookie)
    assert status == 200 and headers["content-type"].startswith("text/html") and b"<html" in body
    status, headers, _ = served.get("/page/main.js", served.cookie)
    assert status == 200 and headers["content-type"].startswith("text/javascript")
    status, headers, _ = served.get("/page/style/theme.css", served.cookie)
    assert status == 200 and headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("path", ["/page/main.js", "/player.js"])
def test_what_has_not_changed_is_not_sent_again(served: Served, path: str) -> None:
    _, headers, body = served.get(path, served.cookie)
    status, _, again = served.get(path, {**served.cookie, "If-None-Match": headers["etag"]})
    assert body and status == 304 and again == b""


def test_the_player_is_one_script(served: Served) -> None:
    _, headers, body = served.get("/player.js", served.cookie)
    assert headers["content-type"].startswith("text/javascript")
    assert body.startswith(b'"use strict"') and b"THINGS" in body and b"class Stage" in body


def test_an_export(served: Served) -> None:
    (served.folder / "exports").mkdir()
    (served.folder / "exports" / "hello wörld.html").write_text("<script>alert(1)</script>", encoding="utf-8")
    status, headers, body = served.get("/download/hello%20w%C3%B6rld.html", served.cookie)
    assert status == 200 and b"alert" in body
    assert headers["content-disposition"].startswith("attachment") and "html" not in headers["content-type"]
    assert served.get("/download/nothing.csv", served.cookie)[0] == 404
    assert served.get("/download/", served.cookie)[0] == 404


@pytest.mark.parametrize(
    "path", ["../project.json", "%2e%2e/project.json", "..%2fproject.json", "..%5cproject.json", ".hidden", "out.txt"]
)
def test_no_download_from_elsewhere(served: Served, path: str) -> None:
    (served.folder / "exports").mkdir()
    (served.folder / "project.json").write_text("secret")
    (served.folder / "exports" / ".hidden").write_text("secret")
    outside = served.folder.parent / "outside.txt"
    outside.write_text("secret")
    (served.folder / "exports" / "out.txt").symlink_to(outside)
    status, _, body = served.get(f"/download/{path}", served.cookie)
    assert status in (403, 404) and b"secret" not in body


def test_no_download_by_an_absolute_path(served: Served) -> None:
    outside = served.folder.parent / "outside.txt"
    outside.write_text("secret")
    (served.folder / "exports").mkdir()
    for path in (str(outside), str(outside).replace("/", "%2f")):
        status, _, body = served.get(f"/download/{path}", served.cookie)
        assert status in (403, 404) and b"secret" not in body


def test_no_download_where_the_folder_leads_out(served: Served) -> None:
    outside = served.folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "a.csv").write_text("secret")
    (served.folder / "exports").symlink_to(outside)
    status, _, body = served.get("/download/a.csv", served.cookie)
    assert status == 403 and b"secret" not in body


def test_it_says_that_it_lives(served: Served) -> None:
    status, _, body = served.get("/health", served.cookie)
    assert status == 200 and b'"well":true' in body
