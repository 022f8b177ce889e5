"""Files that a page sends."""

from __future__ import annotations

import json
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from animato.studio.serving.uploads import MOST_BYTES, clear_parts
from tests.unit.studio.serving.conftest import Served, asked

GIGABYTE = 1_000_000_000


def sent(served: Served, name: str, body: bytes = b"HIERARCHY", purpose: str = "capture") -> tuple[int, dict[str, str]]:
    path = f"/upload?purpose={purpose}&name={quote(name, safe='')}"
    status, _, answer = served.get(path, {**served.cookie, "Origin": f"http://{served.host}"}, "POST", body)
    return status, json.loads(answer)


def left(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_capture(served: Served) -> None:
    assert sent(served, "walk.bvh") == (200, {"file": "captures/walk.bvh"})
    assert (served.folder / "captures" / "walk.bvh").read_bytes() == b"HIERARCHY"


def test_nothing_is_overwritten(served: Served) -> None:
    _, first = sent(served, "walk.bvh", b"one")
    _, second = sent(served, "walk.bvh", b"two")
    assert first != second and (served.folder / first["file"]).read_bytes() == b"one"
    assert (served.folder / second["file"]).read_bytes() == b"two"


@pytest.mark.parametrize(("purpose", "name"), [("clip", "a.csv"), ("character", "r.urdf"), ("strokes", "s.svg")])
def test_other_purposes(served: Served, purpose: str, name: str) -> None:
    assert sent(served, name, purpose=purpose) == (200, {"file": f"imports/{name}"})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../../etc/cron.bvh", "cron.bvh"),
        ("C:\\Users\\me\\walk.bvh", "walk.bvh"),
        ("/etc/walk.bvh", "walk.bvh"),
        ("..bvh", None),
        (".bvh", None),
        ("häppy wälk (2).bvh", "häppy wälk (2).bvh"),
        ("a\nb<script>.bvh", "a_b_script.bvh"),
        ("CON.bvh", "_CON.bvh"),
        ("UPPER.BVH", "UPPER.bvh"),
    ],
)
def test_names_are_names(served: Served, given: str, kept: str | None) -> None:
    status, told = sent(served, given)
    if kept is None:
        assert status in (200, 415) and all(one.startswith("captures/") for one in left(served.folder))
    else:
        assert status == 200 and told["file"] == f"captures/{kept}" and left(served.folder) == [told["file"]]


def test_a_very_long_name(served: Served) -> None:
    status, told = sent(served, "w" * 3000 + ".bvh")
    assert status == 200 and len(told["file"]) < 120


@pytest.mark.parametrize("name", ["a.exe", "a.html", "a", "", "a.bvh.sh", "a.svg"])
def test_endings_that_nobody_reads(served: Served, name: str) -> None:
    status, told = sent(served, name)
    assert status == 415 and ".bvh" in told["error"] and left(served.folder) == []


def test_no_purpose_and_no_content(served: Served) -> None:
    status, told = sent(served, "a.bvh", purpose="anything")
    assert status == 400 and "capture" in told["error"]
    status, told = sent(served, "a.bvh", b"")
    assert status == 400 and "empty" in told["error"] and left(served.folder) == []
    assert served.get("/upload?purpose=capture&name=a.bvh", served.cookie)[0] == 405


def test_a_folder_that_leads_out(served: Served) -> None:
    outside = served.folder.parent / "elsewhere"
    outside.mkdir()
    (served.folder / "captures").symlink_to(outside)
    status, told = sent(served, "a.bvh")
    assert status == 400 and "leads out" in told["error"] and list(outside.iterdir()) == []


def test_a_gigabyte_that_says_so(served: Served) -> None:
    """Refused before anything of it is read."""
    head = request_head(served, f"Content-Length: {GIGABYTE}")
    with served.raw() as line:
        line.sendall(head)
        answer = line.recv(10_000)
    assert answer.startswith(b"HTTP/1.1 413") and b"connection: close" in answer.lower()
    assert left(served.folder) == []


def test_a_gigabyte_that_does_not_say_so(served: Served) -> None:
    """Counted while it comes; the page that looks on goes on."""
    page = served.page()
    part = b"10000\r\n" + bytes(0x10000) + b"\r\n"
    count, answer = 0, b""
    with served.raw() as line:
        line.sendall(request_head(served, "Transfer-Encoding: chunked"))
        try:
            while count < GIGABYTE:
                line.sendall(part)
                count += 0x10000
                if count % (0x10000 * 500) == 0:
                    assert asked(page, f"at {count}")["said"] == f"at {count}"
        except OSError:
            pass  # the line was cut
        try:
            answer = line.recv(10_000)
        except OSError:
            answer = b""
    assert MOST_BYTES < count < MOST_BYTES + 50_000_000
    assert answer == b"" or answer.startswith(b"HTTP/1.1 413")
    assert left(served.folder) == []
    assert asked(page, "still there")["said"] == "still there"


def test_a_browser_hears_why(served: Served) -> None:
    """A file that is only a little too long is listened to, so that the sentence arrives."""
    body = bytes(1_000_000)
    path = "/upload?purpose=capture&name=a.bvh"
    head = {**served.cookie, "Content-Length": str(MOST_BYTES + 1)}
    status, _, answer = served.get(path, head, "POST", body)
    assert status == 413 and "200 MB" in json.loads(answer)["error"]


def test_who_goes_away_in_the_middle(served: Served) -> None:
    with served.raw() as line:
        line.sendall(request_head(served, "Content-Length: 5000000") + bytes(3_000_000))
    for _ in range(200):
        if left(served.folder) == []:
            break
        time.sleep(0.02)
    assert left(served.folder) == []


def test_what_was_left_by_a_studio_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "captures").mkdir()
    (tmp_path / "captures" / ".upload-00ff.part").write_bytes(b"half")
    (tmp_path / "captures" / "walk.bvh").write_bytes(b"whole")
    clear_parts(tmp_path)
    assert left(tmp_path) == ["captures/walk.bvh"]


def request_head(served: Served, *more: str) -> bytes:
    lines = [
        "POST /upload?purpose=capture&name=big.bvh HTTP/1.1",
        f"Host: {served.host}",
        f"Cookie: {served.cookie['Cookie']}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()
