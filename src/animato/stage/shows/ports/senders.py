"""One way out each: OSC, MIDI as bytes, DMX over sACN and Art-Net."""

from __future__ import annotations

import os
import socket
from typing import Protocol
from uuid import uuid4

from animato.errors import OptionError, missing_dependency
from animato.stage.shows.file import CueSection, OutputSection, PortKind

_SACN_PORT, _ARTNET_PORT = 5568, 6454
CHANNELS = 512
"""Of a universe of DMX."""


class Sender(Protocol):
    """Sends cues to one output."""

    def send(self, cue: CueSection) -> None:
        """Sends a cue of OSC or MIDI."""
        ...

    def levels(self, values: bytes) -> None:
        """Sends all levels of a universe of DMX."""
        ...

    def close(self) -> None:
        """Gives the port back."""
        ...


class OscSender:
    """Messages of OSC over UDP."""

    def __init__(self, host: str, port: int) -> None:
        try:
            from pythonosc.udp_client import SimpleUDPClient
        except ImportError:
            raise missing_dependency("python-osc", "show", "Sending OSC") from None
        self._client = SimpleUDPClient(host, port)

    def send(self, cue: CueSection) -> None:
        """Sends address and arguments."""
        self._client.send_message(str(cue.osc), list(cue.args))

    def levels(self, values: bytes) -> None:
        """It has none."""

    def close(self) -> None:
        """Closes the socket."""
        self._client._sock.close()


class MidiSender:
    """Messages of MIDI as bytes, to a device or over UDP.

    Args:
        port: A path such as /dev/snd/midiC1D0, or udp:HOST:PORT.
    """

    def __init__(self, port: str) -> None:
        self._socket: socket.socket | None = None
        self._file = -1
        target = udp_of(port)
        if target is not None:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.connect(target)
        else:
            try:
                self._file = os.open(port, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
            except OSError as error:
                raise OptionError(f"The MIDI device '{port}' cannot be opened: {error.strerror}.") from None

    def send(self, cue: CueSection) -> None:
        """Sends a note or a control."""
        told = midi_message(cue)
        if self._socket is not None:
            self._socket.send(told)
        else:
            os.write(self._file, told)

    def levels(self, values: bytes) -> None:
        """It has none."""

    def close(self) -> None:
        """Closes the port."""
        if self._socket is not None:
            self._socket.close()
        else:
            os.close(self._file)


def midi_message(cue: CueSection) -> bytes:
    """The bytes of a note (of velocity 0: its end) or of a control."""
    try:
        import mido
    except ImportError:
        raise missing_dependency("mido", "show", "Sending MIDI") from None
    channel = cue.channel - 1
    if cue.note is not None:
        kind = "note_on" if cue.velocity > 0 else "note_off"
        return bytes(mido.Message(kind, channel=channel, note=cue.note, velocity=cue.velocity).bytes())
    return bytes(mido.Message("control_change", channel=channel, control=cue.control, value=cue.value).bytes())


def udp_of(port: str) -> tuple[str, int] | None:
    """Host and port of udp:HOST:PORT; None where it is something else."""
    kind, _, rest = port.partition(":")
    if kind != "udp":
        return None
    host, _, number = rest.rpartition(":")
    return host or "127.0.0.1", port_number(number)


def port_number(text: str) -> int:
    """A port of UDP.

    Raises:
        OptionError: It is none.
    """
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise OptionError(f"A port of UDP is a number from 1 to 65535, not '{text}'.")
    return int(text)


class SacnSender:
    """A universe of DMX over sACN (E1.31): to one host, or to all that listen."""

    def __init__(self, host: str | None, port: int, universe: int) -> None:
        try:
            from sacn.messages.data_packet import DataPacket
        except ImportError:
            raise missing_dependency("sacn", "show", "Sending sACN") from None
        self._packet = DataPacket(tuple(uuid4().bytes), "animato", universe, (0,) * CHANNELS)
        self._target = (host or self._packet.calculate_multicast_addr(), port)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 8)

    def send(self, cue: CueSection) -> None:
        """It has levels only."""

    def levels(self, values: bytes) -> None:
        """Sends all levels."""
        self._packet.dmxData = tuple(values)
        self._socket.sendto(bytes(self._packet.getBytes()), self._target)
        self._packet.sequence_increase()

    def close(self) -> None:
        """Says three times that it ends, as the standard asks, and closes the socket."""
        self._packet.option_StreamTerminated = True
        for _ in range(3):
            self.levels(bytes(self._packet.dmxData))
        self._socket.close()


class ArtnetSender:
    """A universe of DMX over Art-Net; net, subnet and universe are the parts of one number of 15 bits."""

    def __init__(self, host: str, port: int, universe: int) -> None:
        try:
            from stupidArtnet import StupidArtnet
        except ImportError:
            raise missing_dependency("stupidArtnet", "show", "Sending Art-Net") from None
        self._node = StupidArtnet(host, universe, CHANNELS, 40, True, False, port=port)

    def send(self, cue: CueSection) -> None:
        """It has levels only."""

    def levels(self, values: bytes) -> None:
        """Sends all levels."""
        self._node.set(bytearray(values))
        self._node.show()

    def close(self) -> None:
        """Closes the socket."""
        self._node.close()


def open_sender(output: OutputSection) -> Sender:
    """Opens an output.

    Raises:
        MissingDependencyError: What it needs is not installed.
        OptionError: It cannot be opened.
    """
    if output.kind is PortKind.OSC:
        return OscSender(output.host or "127.0.0.1", port_number(str(output.port)))
    if output.kind is PortKind.MIDI:
        return MidiSender(str(output.port))
    port = None if output.port is None else port_number(output.port)
    if output.kind is PortKind.SACN:
        return SacnSender(output.host, port or _SACN_PORT, output.universe)
    return ArtnetSender(str(output.host), port or _ARTNET_PORT, output.universe)
