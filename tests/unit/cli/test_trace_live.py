"""`animato trace --live`: samples in, commands out, clip, page and figures in the end."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import numpy as np
import pytest

from animato.cli.live.following import LiveWishes, trace_live
from animato.errors import OptionError
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion
from animato.trace.options import Options


def _written(lines: list[str]) -> int:
    """A pipe that holds some lines and has ended."""
    reader, writer = os.pipe()
    os.write(writer, ("\n".join(lines) + "\n").encode())
    os.close(writer)
    return reader


def test_lines_become_commands_a_clip_and_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = load_character("arm6")
    lines = [json.dumps({"u": 0.002 * k, "v": 0.0, "t": 0.01 * k}) for k in range(20)]
    reader = _written([*lines, "rubbish"])
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 0))
    listener.settimeout(5.0)
    wishes = LiveWishes((f"udp://127.0.0.1:{listener.getsockname()[1]}",), 0.1, 0.6, True)
    said_before: list[str] = []
    with os.fdopen(reader) as stream, listener:
        monkeypatch.setattr("sys.stdin", stream)
        whole, said = trace_live(
            "-",
            arm,
            Options(start="board", rate_hz=100.0),
            {"plane": "-yz at 0.75,0,0.7"},
            wishes,
            out=tmp_path / "o.npz",
            page=None,
            json=tmp_path / "o.json",
            ready=said_before.append,
        )
        command = json.loads(listener.recv(65536))
    assert whole and said_before == ["Ready: samples come from standard input; Ctrl-C ends it."]
    assert set(command["positions"]) <= {joint.name for joint in arm.joints}
    figures = json.loads((tmp_path / "o.json").read_text())
    assert (figures["samples"], figures["bad_lines"]) == (20, 1)
    assert "<svg" in (tmp_path / "o.html").read_text()
    clip = load_motion(tmp_path / "o.npz")
    assert np.ptp(clip.positions, axis=0).max() > 1e-3  # type: ignore[union-attr]
    assert any("behind the hand" in sentence for sentence in said)


def test_what_is_for_recorded_strokes_is_refused(tmp_path: Path) -> None:
    arm, wishes = load_character("arm6"), LiveWishes((), 0.3, 0.6, True)
    out = tmp_path / "o.npz"
    with pytest.raises(OptionError, match="`size_m`"):
        trace_live("udp://:0", arm, Options(), {"size_m": 1.0}, wishes, out=out, page=None, json=None, ready=print)
