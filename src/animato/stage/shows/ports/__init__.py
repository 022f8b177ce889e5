"""Cues out and in: OSC, MIDI, DMX over sACN and Art-Net, the keyboard."""

from animato.stage.shows.ports.answering import Answering
from animato.stage.shows.ports.desk import Desk, Lights
from animato.stage.shows.ports.listeners import Heard, Listener, key_parser, midi_parser, osc_parser
from animato.stage.shows.ports.senders import CHANNELS, Sender, midi_message, open_sender

__all__ = [
    "CHANNELS",
    "Answering",
    "Desk",
    "Heard",
    "Lights",
    "Listener",
    "Sender",
    "key_parser",
    "midi_message",
    "midi_parser",
    "open_sender",
    "osc_parser",
]
