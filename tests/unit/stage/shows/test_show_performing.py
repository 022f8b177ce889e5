"""Shows on dry servos in real time, with cues over the loopback."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from animato.errors import CharacterError, FileFormatError
from animato.motion import Posture
from animato.stage.lines import DryLine
from animato.stage.playing import Plan
from animato.stage.shows import Conductor, Score, ShowPerformance, perform
from animato.stage.shows.file import load_show
from tests.show_builders import lamp, lamp_rig, show_of

pytest.importorskip("pythonosc", reason="the extra 'show' is not installed")

SHORT = """animato: 1
name: short
clips: {look: lamp_look}
inputs: {net: {kind: osc, port: PORT}}
outputs: {desk: {kind: osc, port: OUT}}
cues:
  - {osc: /go, does: go}
  - {osc: /stop, does: stop}
  - {osc: /nod, does: goto nod}
timeline:
  - {pose: rest, cues: [{to: desk, osc: /began}]}
  - {play: look, name: nod, end: 0.8 s}
  - wait_for: go
  - wait: 0.1 s
"""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def tell(port: int, address: str) -> None:
    text = address.encode() + b"\0" * (4 - len(address) % 4) + b",\0\0\0"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(text, ("127.0.0.1", port))


class Stage:
    """Performs the short show while a test gives cues."""

    def __init__(self, text: str = SHORT) -> None:
        self.port = free_port()
        self.heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.heard.bind(("127.0.0.1", 0))
        self.heard.settimeout(10.0)
        rig, rest = lamp_rig(), Posture.named(lamp(), "rest")
        stands = rig.told(np.array([rest.value(name) for name in rig.names]))
        ids = [slot.wire.id for slot in rig.slots]
        self.line = DryLine(rig.buses[0], dict(zip(ids, stands.tolist(), strict=True)))
        self.said: list[str] = []
        self.result: ShowPerformance | None = None
        self.conductor: Conductor | None = None
        text = text.replace("PORT", str(self.port)).replace("OUT", str(self.heard.getsockname()[1]))
        self.show = show_of(text)

    def perform(self) -> ShowPerformance:
        try:
            return perform(self.show, lamp(), lines=[self.line], say=self.said.append, began=self._began, record=True)
        finally:
            self.heard.close()

    def _began(self, conductor: Conductor) -> None:
        self.conductor = conductor

    def when_said(self, what: str, address: str) -> threading.Thread:
        """Gives a cue of OSC once something was said."""

        def wait() -> None:
            end = time.monotonic() + 20.0
            while not any(what in one for one in self.said) and time.monotonic() < end:
                time.sleep(0.01)
            tell(self.port, address)

        thread = threading.Thread(target=wait)
        thread.start()
        return thread

    def inside(self) -> None:
        """What servos were told keeps range, speed and acceleration."""
        rig = lamp_rig()
        assert self.line.told
        told = rig.read(np.array([values for _, values in self.line.told]))
        assert np.all(told >= rig.lower - 1e-9)
        assert np.all(told <= rig.upper + 1e-9)
        assert self.line.words[-2:] == ["release", "close"]


def test_a_show_waits_for_its_cue_and_ends_at_rest() -> None:
    stage = Stage()
    cue = stage.when_said("Waits for the cue 'go'", "/go")
    result = stage.perform()
    cue.join()
    assert result.ended_well, stage.said
    assert result.outcome.usable
    stage.inside()
    assert sum(one.held_back for one in result.performance.reports) == 0
    rest = lamp_rig().told(result.performance.plan.rest)
    assert np.abs(stage.line.told[-1][1] - rest).max() < 1.0
    assert "It went to rest and the torque is off." in stage.said[-1]


def test_cues_go_out_and_stop_ends_it_softly() -> None:
    stage = Stage()

    def answer() -> None:
        stage.heard.recv(100)
        tell(stage.port, "/stop")

    began = threading.Thread(target=answer)
    began.start()
    result = stage.perform()
    began.join()
    assert not result.ended_well
    assert "Ended by a cue" in result.outcome.reason
    stage.inside()


def test_jumps_come_from_the_network() -> None:
    stage = Stage()
    jump = stage.when_said("Waits for the cue", "/nod")
    stop = stage.when_said("Goes to 'nod'", "/stop")
    stage.perform()
    jump.join()
    stop.join()
    assert stage.conductor is not None
    stage.inside()


def test_nothing_moves_where_somebody_says_no() -> None:
    stage = Stage()
    seen: list[Score] = []

    def confirm(score: Score, plan: Plan) -> bool:
        seen.append(score)
        return False

    result = perform(stage.show, lamp(), lines=[stage.line], confirm=confirm)
    stage.heard.close()
    assert not result.outcome.usable
    assert not stage.line.told
    assert any("waits for the cue 'go'" in line for line in seen[0].lines())


def test_a_port_that_is_taken_is_said_before_anything_moves() -> None:
    stage = Stage()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", stage.port))
        with pytest.raises(FileFormatError, match=r"line 4: inputs\.net: Nothing can be heard"):
            stage.perform()
    assert not stage.line.words


def test_a_show_needs_somebody(tmp_path: Path) -> None:
    (tmp_path / "show.yaml").write_text("animato: 1\nname: x\ntimeline: [{pose: rest}]\n")
    with pytest.raises(CharacterError, match="names no `robot`"):
        perform(load_show(tmp_path / "show.yaml"), to="dry")
    (tmp_path / "show.yaml").write_text("animato: 1\nname: x\nrobot: nobody.yaml\ntimeline: [{pose: rest}]\n")
    with pytest.raises(FileFormatError, match=r"nobody\.yaml: there is no such file"):
        perform(tmp_path / "show.yaml", to="dry")
