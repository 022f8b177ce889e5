"""The player in the browser, driven without a browser."""

from __future__ import annotations

import contextlib
import socket
import sys
import time as clock
import urllib.request
from collections.abc import Iterator

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import AnimatoError, MissingDependencyError, OptionError
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.view.browser.player import Player, play, start_player

pytest.importorskip("viser")


@contextlib.contextmanager
def playing(*arguments: object, **options: object) -> Iterator[Player]:
    player = start_player(*arguments, port=0, **options)
    try:
        yield player
    finally:
        player.stop()


def node(player: Player, name: str) -> object:
    return player._server.scene.get_handle_by_name(name)


def test_page_is_served_on_this_machine_only(post: Character, turning: Clip) -> None:
    with playing(post, turning, playing=False) as player:
        assert player.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(player.url, timeout=10) as page:
            assert page.status == 200 and b"<html" in page.read().lower()
        url = player.url
    assert player.stopped
    with pytest.raises(OSError):
        urllib.request.urlopen(url, timeout=2)


def test_showing_a_moment_moves_the_bodies(post: Character, turning: Clip) -> None:
    with playing(post, turning, playing=False) as player:
        assert player.time == 0.0
        player.show(1.0)  # half a turn
        turned = node(player, "/character/pole")
        np.testing.assert_allclose(np.abs(turned.wxyz), (0.0, 0.0, 0.0, 1.0), atol=1e-6)
        np.testing.assert_allclose(turned.position, (0.0, 0.0, 0.05), atol=1e-9)
        player.show(99.0)
        assert player.time == 2.0
        player.show(float("nan"))
        assert player.time == 0.0


def test_motion_runs_loops_and_pauses(post: Character, turning: Clip) -> None:
    short = Clip(turning.times / 10.0, turning.names, turning.positions)  # 0.2 s
    with playing(post, short) as player:
        seen = []
        for _ in range(40):
            clock.sleep(0.02)
            seen.append(player.time)
        assert np.ptp(seen) > 0.1 and np.any(np.diff(seen) < 0.0)
        player.playing = False
        clock.sleep(0.1)
        still = player.time
        clock.sleep(0.1)
        assert player.time == still


def test_motion_without_loop_ends(post: Character, turning: Clip) -> None:
    short = Clip(turning.times / 10.0, turning.names, turning.positions)
    with playing(post, short, playing=False) as player:
        player._loop.value = False
        player.playing = True
        for _ in range(100):
            clock.sleep(0.02)
            if not player.playing:
                break
        assert not player.playing and player.time == pytest.approx(0.2)


def test_ghost_can_be_hidden(post: Character, turning: Clip) -> None:
    ahead = Clip(turning.times, turning.names, turning.positions + np.pi)
    with playing(post, turning, ghost=ahead, playing=False) as player:
        ghost = node(player, "/ghost/pole")
        np.testing.assert_allclose(np.abs(ghost.wxyz), (0.0, 0.0, 0.0, 1.0), atol=1e-6)
        assert node(player, "/ghost").visible
        player._show_ghost(False)
        assert not node(player, "/ghost").visible
        player.reset_camera()


def test_worst_joint_is_named(post: Character, turning: Clip) -> None:
    shares = {"turn": np.linspace(0.0, 1.5, 41), "other": np.full(41, 0.9)}
    with playing(post, turning, shares=shares, playing=False) as player:
        assert "other at 90 %" in player._info.content
        player.show(2.0)
        assert "**turn at 150 % of its limit**" in player._info.content and "frame 40 of 41" in player._info.content
    with pytest.raises(OptionError, match="one number for each of 41 frames"):
        start_player(post, turning, shares={"turn": np.zeros(3)}, port=0)


def test_posture_alone_and_parts_that_bend(whip: Character) -> None:
    with playing(whip, posture=Posture(("hinge",), np.array([0.5]))) as player:
        assert not player.playing
        bent = node(player, "/character/bar").vertices
    with playing(whip) as player:
        straight = node(player, "/character/bar").vertices
    assert np.abs(bent - straight).max() > 0.05


def test_client_is_sent_the_scene(post: Character) -> None:
    connect = pytest.importorskip("websockets.sync.client").connect
    import viser

    with playing(post) as player:
        address = player.url.replace("http", "ws")
        with connect(address, subprotocols=[f"viser-v{viser.__version__}"], max_size=None) as client:
            received = client.recv(timeout=10)
        assert isinstance(received, bytes) and len(received) > 500


def test_taken_port_is_a_clear_error(post: Character) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AnimatoError, match=f"Port {port} of 127.0.0.1 is taken.*`port`"):
            start_player(post, port=port)
    for options in ({"port": 99999}, {"host": "no such host"}):
        with pytest.raises(OptionError):
            start_player(post, **options)


def test_blocking_play_ends_with_an_interrupt(
    post: Character, turning: Clip, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(url: str) -> None:
        assert url.startswith("http://127.0.0.1:")
        raise KeyboardInterrupt

    play(post, turning, port=0, open_browser=False, on_ready=interrupt)
    assert capsys.readouterr().out == ""


def test_missing_viser_says_what_to_install(post: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingDependencyError, match=r"animato\[view\]"):
        start_player(post)
