"""`python -m animato.stage.emulated dynamixel --ids 1-12`: prints a port; then one order a line, as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from animato.stage import emulated
from animato.stage.emulated.serial_emulator import SerialEmulator

_KINDS = {
    "bottango": "BottangoEmulator",
    "dynamixel": "DynamixelEmulator",
    "feetech": "FeetechEmulator",
    "maestro": "MaestroEmulator",
}
_RECORDS = ("frames", "heard", "shafts")
_FAULTS = ("unplug", "mute", "noise", "garble", "slow", "overheat", "overload", "slip")


def main(words: list[str] | None = None) -> None:
    """Runs an emulator until its input ends."""
    parser = argparse.ArgumentParser(prog="python -m animato.stage.emulated", description=__doc__)
    parser.add_argument("kind", choices=sorted(_KINDS))
    parser.add_argument("--ids", default="1", help="such as 1-12 or 1,2,5")
    parser.add_argument("--latency", type=float, default=0.0, metavar="S", help="how long answers take")
    parser.add_argument("--positions", default="", metavar="ID:COUNTS,...", help="where shafts stand at first")
    parser.add_argument("--model", type=int, default=None, metavar="NUMBER", help="of the servos")
    given = parser.parse_args(words)
    pairs = (one.split(":") for one in given.positions.split(",") if one)
    options: dict[str, Any] = {"positions": {int(id): float(at) for id, at in pairs}, "latency_s": given.latency}
    if given.model is not None:
        options["model"] = given.model
    with getattr(emulated, _KINDS[given.kind])(_ids(given.ids), **options) as bus:
        print(bus.port, flush=True)
        for line in sys.stdin:
            if line.strip():
                print(json.dumps(_obey(bus, *json.loads(line))), flush=True)


def _obey(bus: SerialEmulator, what: str, *given: Any) -> Any:
    if what in _FAULTS:
        return getattr(bus, what)(*given)
    if what in _RECORDS:
        value = getattr(bus, what)
        return value() if callable(value) else value
    return {"error": f"unknown: {what}; known: {', '.join(_FAULTS + _RECORDS)}"}


def _ids(text: str) -> list[int]:
    ids: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        ids += range(int(first), int(last or first) + 1)
    return ids


if __name__ == "__main__":
    main()
