"""The show file: what may stand in it, read with the line of whatever is wrong."""

from animato.stage.shows.file.schema import (
    AnswerSection,
    ClockKind,
    ClockSection,
    CueSection,
    InputSection,
    Lost,
    OutputSection,
    PortKind,
    ShowSection,
    StepSection,
    TempoSection,
)
from animato.stage.shows.file.show import ORDERS, Show, load_show, place_of_files, show_from_text

__all__ = [
    "ORDERS",
    "AnswerSection",
    "ClockKind",
    "ClockSection",
    "CueSection",
    "InputSection",
    "Lost",
    "OutputSection",
    "PortKind",
    "Show",
    "ShowSection",
    "StepSection",
    "TempoSection",
    "load_show",
    "place_of_files",
    "show_from_text",
]
