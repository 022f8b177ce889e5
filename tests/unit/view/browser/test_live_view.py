"""A loop in the browser while it runs, driven without a browser."""

from __future__ import annotations

import time as clock
import urllib.request
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import AnimatoError
from animato.express import Command, Target
from animato.express.sources import Losses
from animato.motion.posture import Posture
from animato.view.browser import LiveView

pytest.importorskip("viser")


class Watched:
    """As much of a loop as the view looks at."""

    def __init__(self, character: Character) -> None:
        posture = Posture(("turn",), np.array([0.5]))
        self.problem = SimpleNamespace(character=character, posture=posture, end_points=character.end_points)
        self.targets: dict[str, Target] = {}


def command(angle: float, time_s: float = 1.0) -> Command:
    return Command(time_s, ("turn",), np.array([angle]), np.zeros(1), 0.1, False, ())


@pytest.fixture
def loop(post: Character) -> Any:
    return Watched(post)


def node(view: LiveView, name: str) -> Any:
    return view._server.scene.get_handle_by_name(name)


def test_the_page_is_served_on_this_machine_and_closed(loop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with LiveView(loop, port=0) as view:
        assert view.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(view.url, timeout=10) as page:
            assert page.status == 200
        assert not view.source.ended
    assert view.source.ended
    view.close()
    said = capsys.readouterr()
    assert said.out == "" and view.url in said.err
    with pytest.raises(OSError):
        urllib.request.urlopen(view.url, timeout=2)


def test_a_command_moves_the_bodies_and_the_line_of_sight(loop: Any) -> None:
    with LiveView(loop, port=0, on_ready=lambda _: None) as view:
        view.show(command(np.pi))
        np.testing.assert_allclose(np.abs(node(view, "/character/pole").wxyz), (0.0, 0.0, 0.0, 1.0), atol=1e-6)
        eye, ahead = node(view, "/gaze/ball/sight").points[0]
        np.testing.assert_allclose(eye, (0.0, -0.3, 0.55), atol=1e-6)
        assert ahead[0] < eye[0] and not node(view, "/gaze/ball/point").visible
        assert "nothing to face" in view._info.content


def test_points_are_balls_and_directions_arrows(loop: Any) -> None:
    with LiveView(loop, port=0, on_ready=lambda _: None) as view:
        loop.targets["ball"] = Target(point=(1.0, 2.0, 3.0))
        view.show(command(0.0))
        assert tuple(node(view, "/gaze/ball/point").position) == (1.0, 2.0, 3.0)
        assert node(view, "/gaze/ball/point").visible and not node(view, "/gaze/ball/direction").visible
        assert "5.7° off" in view._info.content
        for target in (Target(direction=(0, 0, 1)), Target(quaternion_wxyz=(0.5**0.5, 0, -(0.5**0.5), 0))):
            loop.targets["ball"] = target
            view.show(command(0.0))
            begin, end = node(view, "/gaze/ball/direction").points[0]
            np.testing.assert_allclose((end - begin) / np.linalg.norm(end - begin), (0, 0, 1), atol=1e-6)
            assert not node(view, "/gaze/ball/point").visible


def test_the_newest_command_is_drawn_while_somebody_looks(loop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with LiveView(loop, port=0, on_ready=lambda _: None) as view:
        view(command(1.0))
        clock.sleep(0.15)
        assert view._info.content == ""  # nobody looks
        monkeypatch.setattr(view._server, "get_clients", lambda: {1: None})
        begin = clock.perf_counter()
        for n in range(1000):
            view(command(np.pi, n / 100))
        assert clock.perf_counter() - begin < 0.05  # handing out waits for nobody
        for _ in range(100):
            clock.sleep(0.02)
            if view._info.content.startswith("10.0 s"):
                break
        assert view._info.content.startswith("10.0 s")


def test_a_hand_in_the_page_goes_before_other_targets(loop: Any) -> None:
    other = SimpleNamespace(poll=lambda _: ["1 2 3"])
    with LiveView(loop, source=other, port=0, on_ready=lambda _: None) as view:
        assert view.source.poll(0.0) == ["1 2 3"]
        view.by_hand = True
        place = view._hand.position
        eye = np.array((0.3 * -np.sin(0.5), 0.3 * np.cos(0.5), 0.55))
        assert np.linalg.norm(place - eye) == pytest.approx(view._stage.scene.size)  # it appears before the eye
        view._hand.position = (0.5, 0.0, 0.2)
        assert view.source.poll(0.0) == ["1 2 3", Target(point=(0.5, 0.0, 0.2))]
        view.by_hand = False
        assert view.source.poll(0.0) == ["1 2 3"]


def test_losses_of_the_other_source_are_those_of_the_page(loop: Any) -> None:
    other = SimpleNamespace(poll=lambda _: [], losses=Losses())
    with LiveView(loop, source=other, port=0, on_ready=lambda _: None) as view:
        other.losses.add("a flood", 3)
        assert view.source.losses.count == 3 and view.losses.count == 0


def test_a_hand_that_rests_says_nothing_new(loop: Any) -> None:
    loop.targets["ball"] = Target(point=(0.7, 0.1, 0.4))
    with LiveView(loop, port=0, on_ready=lambda _: None) as view:
        view.by_hand = True
        assert view.source.poll(0.0) == [Target(point=(0.7, 0.1, 0.4))]
        assert view.source.poll(0.1) == []


def test_a_posture_that_is_chosen_is_said_as_a_line(post: Character) -> None:
    from dataclasses import replace

    from animato.character.landmarks import NamedPosture

    character = replace(post, postures=(NamedPosture("left", (("turn", 1.0),)),))
    with LiveView(Watched(character), port=0, on_ready=lambda _: None) as view:  # type: ignore[arg-type]
        view._choose("left")
        view._choose("-")
        assert view.source.poll(0.0) == ['{"posture": "left"}']
        assert view.source.poll(0.0) == []


def test_what_fails_is_said_once_and_goes_on(
    loop: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Command) -> None:
        raise AnimatoError("no bodies today")

    with LiveView(loop, port=0, on_ready=lambda _: None) as view:
        monkeypatch.setattr(view._server, "get_clients", lambda: {1: None})
        monkeypatch.setattr(view, "show", fail)
        for n in range(5):
            view(command(float(n)))
            clock.sleep(0.05)
        assert view._thread.is_alive()
    assert capsys.readouterr().err.count("no bodies today") == 1
