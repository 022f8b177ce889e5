"""Cues arrive on the loopback, byte for byte; what is heard does what the file says."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from animato.errors import OptionError
from animato.stage.shows.file import CueSection, InputSection, OutputSection, PortKind
from animato.stage.shows.ports import Answering, Desk, Heard, Lights, Listener, midi_message, midi_parser, open_sender
from tests.show_builders import show_of

pytest.importorskip("pythonosc", reason="the extra 'show' is not installed")
pytest.importorskip("sacn", reason="the extra 'show' is not installed")
pytest.importorskip("stupidArtnet", reason="the extra 'show' is not installed")

PATIENCE_S = 10.0


@pytest.fixture
def ear() -> Iterator[socket.socket]:
    """A socket of the loopback that somebody may send to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        one.settimeout(PATIENCE_S)
        yield one


def cue(**said: object) -> CueSection:
    return CueSection.model_validate({"to": "out", **said})


def output(kind: str, ear: socket.socket, **more: str) -> OutputSection:
    port = str(ear.getsockname()[1])
    return OutputSection.model_validate({"kind": kind, "host": "127.0.0.1", "port": port, **more})


def until(true: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()


def test_osc_arrives(ear: socket.socket) -> None:
    desk = Desk({"out": open_sender(output("osc", ear))})
    desk.emit(cue(osc="/lamp/1", args=["1", "0.5", "hello", "true"]))
    data = ear.recv(1000)
    desk.close()
    assert data == b"/lamp/1\0,ifsT\0\0\0" + struct.pack(">if", 1, 0.5) + b"hello\0\0\0"


def test_sacn_levels_arrive_and_end(ear: socket.socket) -> None:
    desk = Desk({"out": open_sender(output("sacn", ear, universe="7"))})
    desk.emit(cue(dmx={"1": "255", "512": "3"}))
    data = ear.recv(1000)
    assert data[4:13] == b"ASC-E1.17"
    assert struct.unpack(">H", data[113:115]) == (7,)
    assert (data[126], data[126 + 511], sum(data[126:])) == (255, 3, 258)
    desk.close()
    last = [ear.recv(1000) for _ in range(3)]
    assert all(one[112] & 0x40 for one in last[-2:])  # the stream is ended as the standard asks


@pytest.mark.parametrize("universe", [0, 17, 300])
def test_artnet_levels_arrive(ear: socket.socket, universe: int) -> None:
    desk = Desk({"out": open_sender(output("artnet", ear, universe=str(universe)))})
    desk.emit(cue(dmx={"2": "128"}))
    data = ear.recv(1000)
    desk.close()
    assert data[:10] == b"Art-Net\0\x00\x50"
    assert struct.unpack("<H", data[14:16]) == (universe,)
    assert struct.unpack(">H", data[16:18]) == (512,)
    assert (data[19], sum(data[18:])) == (128, 128)


def test_a_fade_arrives_in_steps_and_at_its_end(ear: socket.socket) -> None:
    desk = Desk({"out": open_sender(output("artnet", ear))})
    desk.emit(cue(dmx={"1": "200"}, fade="0.3 s"))
    levels = [ear.recv(1000)[18]]
    while levels[-1] < 200:
        levels.append(ear.recv(1000)[18])
    desk.close()
    assert levels == sorted(levels)
    assert len(levels) > 3
    assert levels[-1] == 200


@given(
    fades=st.lists(
        st.tuples(
            st.floats(0.0, 1.0), st.integers(1, 3), st.integers(0, 255), st.one_of(st.just(0.0), st.floats(0.05, 2.0))
        ),
        max_size=8,
    )
)
def test_lights_never_leap_where_they_fade(fades: list[tuple[float, int, int, float]]) -> None:
    lights, now = Lights(), 0.0
    for wait, channel, level, seconds in fades:
        now += wait
        before = lights.values(now)
        lights.set({channel: level}, seconds, now)
        after = lights.values(now)
        assert after[3:] == bytes(509)
        changed = {n + 1 for n in range(512) if before[n] != after[n]}
        assert changed <= ({channel} if seconds == 0.0 else set())
        assert lights.values(now + seconds + 1e-9)[channel - 1] == level


def test_midi_is_bytes(ear: socket.socket) -> None:
    port = f"udp:127.0.0.1:{ear.getsockname()[1]}"
    desk = Desk({"out": open_sender(OutputSection.model_validate({"kind": "midi", "port": port}))})
    desk.emit(cue(note="60", velocity="99", channel="3"))
    desk.emit(cue(control="7", value="1"))
    assert (ear.recv(9), ear.recv(9)) == (bytes((0x92, 60, 99)), bytes((0xB0, 7, 1)))
    desk.close()
    assert midi_message(cue(note="60", velocity="0")) == bytes((0x80, 60, 0))


def test_midi_of_a_device_is_heard_wherever_it_is_cut() -> None:
    controller, device = os.openpty()
    import tty

    tty.setraw(device)
    heard: list[Heard] = []
    listener = Listener(InputSection.model_validate({"kind": "midi", "port": os.ttyname(device)}), heard.append)
    listener.start()
    for byte in (0x92, 60, 99, 0xF8, 61, 0, 0xB0, 7, 5):  # a clock tick between, and running status
        os.write(controller, bytes((byte,)))
    assert until(lambda: len(heard) == 3)
    listener.close()
    os.close(controller)
    os.close(device)
    assert heard[0] == Heard(PortKind.MIDI, "note", (60, 99), 3)
    assert heard[1] == Heard(PortKind.MIDI, "note", (61, 0), 3)
    assert heard[2] == Heard(PortKind.MIDI, "control", (7, 5), 1)


@given(noise=st.lists(st.binary(max_size=30), max_size=10))
def test_noise_on_midi_is_borne(noise: list[bytes]) -> None:
    parse = midi_parser()
    for data in noise:
        parse(data)
    parse(b"\xf7\xff")  # whatever was begun is over
    assert parse(bytes((0x90, 60, 1)))[-1] == Heard(PortKind.MIDI, "note", (60, 1), 1)


def test_osc_is_heard_and_noise_is_not(ear: socket.socket) -> None:
    ear.close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    heard: list[Heard] = []
    section = InputSection.model_validate({"kind": "osc", "port": str(port)})
    listener = Listener(section, heard.append)
    listener.start()
    with pytest.raises(OptionError, match=r"Nothing can be heard at 127\.0\.0\.1"):
        Listener(section, heard.append)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for data in (b"", b"noise", b"/x", b"\xff" * 50, b"/go\0,i\0\0\0\0\0\1"):
            sender.sendto(data, ("127.0.0.1", port))
    assert until(lambda: Heard(PortKind.OSC, "/go", (1,)) in heard)
    listener.close()
    assert not any(thread.name == "ear-osc" for thread in threading.enumerate())


CUED = """animato: 1
name: cued
inputs: {net: {kind: osc, port: 9001}, midi: {kind: midi, port: udp:127.0.0.1:9002}, keys: {kind: keyboard}}
cues:
  - {osc: /go, does: go}
  - {note: 60, channel: 2, does: pause}
  - {control: 7, does: stop}
  - {key: x, does: goto top}
timeline: [{pose: rest, name: top}]
"""


@pytest.mark.parametrize(
    ("heard", "orders"),
    [
        (Heard(PortKind.OSC, "/go"), ["go"]),
        (Heard(PortKind.OSC, "/go", (1.0,)), ["go"]),
        (Heard(PortKind.OSC, "/go", (0.0,)), []),  # a button that is let go
        (Heard(PortKind.OSC, "/go", (False,)), []),
        (Heard(PortKind.OSC, "/gone"), []),
        (Heard(PortKind.MIDI, "note", (60, 1), 2), ["pause"]),
        (Heard(PortKind.MIDI, "note", (60, 0), 2), []),
        (Heard(PortKind.MIDI, "note", (60, 1), 1), []),
        (Heard(PortKind.MIDI, "control", (7, 127), 9), ["stop"]),
        (Heard(PortKind.KEYBOARD, "x"), ["goto top"]),
        (Heard(PortKind.KEYBOARD, "go"), ["go"]),
    ],
)
def test_what_is_heard_does_what_the_file_says(heard: Heard, orders: list[str]) -> None:
    given_orders: list[str] = []
    Answering(show_of(CUED), given_orders.append).hear("net", heard)
    assert given_orders == orders


def test_an_output_that_fails_is_said_once_and_ends_nothing() -> None:
    class Broken:
        def send(self, cue: CueSection) -> None:
            raise OSError("unplugged")

        levels = close = lambda *_: None

    said: list[str] = []
    desk = Desk({"out": Broken()}, say=said.append)
    for _ in range(3):
        desk.emit(cue(osc="/x"))
    desk.close()
    assert said == ["'out' does not take cues: unplugged"]
