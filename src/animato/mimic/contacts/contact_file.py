"""Contacts as YAML that people change by hand: what each part does, from when to when."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.errors import OptionError, did_you_mean
from animato.formats.files import (
    Data,
    Dimension,
    Places,
    Value,
    described,
    parse_yaml,
    quantity,
    read_text_whole,
    write_whole,
    yaml_text,
)
from animato.mimic.contacts.edits import STATES, ContactEdit
from animato.mimic.contacts.plan import ContactPlan

SUFFIXES = (".yaml", ".yml")
LARGEST_FILE = 1_000_000  # bytes
_KEYS = ("from", "to", "state")
_HEAD = """\
# What the parts of the feet do, from when to when [s]: planted stands still and carries, lowered touches without
# carrying, free is in the air. Change what is wrong and leave out what is right: what is not named here is found
# from the capture by itself.
"""


def save_contacts(path: str | Path, plan: ContactPlan) -> Path:
    """Writes what a plan has each part do (.yaml or .yml), whole or not at all.

    Raises:
        OptionError: The path has another ending.
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise OptionError(f"Contacts are written as .yaml, not as '{Path(path).name}'.")
    parts: dict[str, Value] = {}
    for index, part in enumerate(plan.parts):
        state = np.where(plan.planted[:, index], 0, np.where(plan.lowered[:, index], 1, 2))
        starts = np.flatnonzero(np.concatenate([[True], state[1:] != state[:-1]]))
        ends = np.append(starts[1:], len(state)) - 1
        parts[part.name] = [
            {"from": _time(plan, a), "to": _time(plan, b), "state": STATES[state[a]]}
            for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
    return write_whole(path, _HEAD + yaml_text({"animato_contacts": 1.0}) + "\n" + yaml_text(parts))


def load_contacts(path: str | Path) -> tuple[ContactEdit, ...]:
    """Reads what parts are to do.

    Raises:
        FileFormatError: Something is wrong in it; the line, what was given and what is allowed are named.
    """
    document = parse_yaml(read_text_whole(path, largest=LARGEST_FILE), path)
    places, data = Places(path, document), document.data
    if not isinstance(data, dict) or data.get("animato_contacts") != "1":
        raise places.error((), "a file of contacts starts with 'animato_contacts: 1'.")
    found = []
    for name, stretches in data.items():
        if name == "animato_contacts":
            continue
        if not isinstance(stretches, list):
            raise places.error((name,), f"must be a list of {{from, to, state}}, not {described(stretches)}.")
        found += [_edit(name, index, one, places) for index, one in enumerate(stretches)]
    return tuple(found)


def _edit(part: str, index: int, value: Data, places: Places) -> ContactEdit:
    if not isinstance(value, dict):
        raise places.error((part, index), f"must be {{from: ..., to: ..., state: ...}}, not {described(value)}.")
    for key in value:
        if key not in _KEYS:
            message = f"is not known.{did_you_mean(key, _KEYS)} Allowed: {', '.join(_KEYS)}."
            raise places.error((part, index, key), message)
    for key in _KEYS:
        if key not in value:
            raise places.error((part, index), f"'{key}' is missing.")
    times = []
    for key in ("from", "to"):
        with places.at(part, index, key):
            times.append(quantity(value[key], Dimension.TIME))
    with places.at(part, index, "state"):
        return ContactEdit(part, times[0], times[1], str(value["state"]))


def _time(plan: ContactPlan, frame: int) -> float:
    return round(float(plan.times[frame]), 4)
