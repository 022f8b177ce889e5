"""An emulator in a process of its own: fair timing beside what is tested, and alive when that is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from animato.errors import SimulationError
from animato.stage.emulated.serial_emulator import Frame


class EmulatorProcess:
    """The same emulator, elsewhere: `port`, `frames`, `shafts` and the faults are as those of a `SerialEmulator`.

    Attributes:
        port: The path of the pty.
    """

    def __init__(
        self,
        kind: str,
        ids: Iterable[int] = (1,),
        latency_s: float = 0.0,
        positions: Mapping[int, float] | None = None,
        model: int | None = None,
    ) -> None:
        """Starts the process and waits for its port.

        Args:
            kind: A name that `python -m animato.stage.emulated` knows, such as dynamixel.
            ids: Of the servos.
            latency_s: How long answers take on their way [s].
            positions: Where shafts stand at first [counts]; 2048 where not said.
            model: The servos' model number; None is the emulator's own.
        """
        words = [kind, "--ids", ",".join(str(id) for id in ids), "--latency", str(latency_s)]
        if positions:
            words += ["--positions", ",".join(f"{id}:{at}" for id, at in positions.items())]
        if model is not None:
            words += ["--model", str(model)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "animato.stage.emulated", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().strip()
        if not self.port:
            self.stop()
            raise SimulationError(f"The emulator of '{kind}' did not start; what it said stands above.")

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def frames(self) -> list[Frame]:
        """Goals as they arrived, until now."""
        return [(at, {int(id): goal for id, goal in goals.items()}) for at, goals in self._ask("frames")]

    @property
    def heard(self) -> int:
        """How many bytes arrived."""
        return int(self._ask("heard"))

    def shafts(self) -> dict[int, list[tuple[float, float, float]]]:
        """What each shaft did: (time [s], position, goal)."""
        return {int(id): [(at, where, goal) for at, where, goal in one] for id, one in self._ask("shafts").items()}

    def unplug(self) -> None:
        """Pulls the cable."""
        self._ask("unplug")

    def mute(self, ids: Collection[int] | None = None) -> None:
        """These servos, or all, do not answer any more."""
        self._ask("mute", None if ids is None else list(ids))

    def noise(self, share: float, seed: int = 0) -> None:
        """This share of the bytes of answers is spoiled."""
        self._ask("noise", share, seed)

    def garble(self, share: float, seed: int = 0) -> None:
        """This share of the bytes that servos hear is spoiled."""
        self._ask("garble", share, seed)

    def slow(self, pause_s: float) -> None:
        """What is sent is taken only every `pause_s` seconds."""
        self._ask("slow", pause_s)

    def overheat(self, id: int, temperature: float = 85.0) -> None:
        """The servo is this hot [degrees Celsius]."""
        self._ask("overheat", id, temperature)

    def overload(self, id: int, current: float = 2.0) -> None:
        """The servo draws this much more [A]."""
        self._ask("overload", id, current)

    def slip(self, id: int, counts: float = 0.0) -> None:
        """Something turns the shaft by so many counts and holds it."""
        self._ask("slip", id, counts)

    def stop(self) -> None:
        """Ends the process. May be called twice."""
        if self._process.poll() is None:
            assert self._process.stdin is not None
            self._process.stdin.close()  # it ends when nobody talks to it any more
            try:
                self._process.wait(timeout=5.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _ask(self, what: str, *given: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, *given]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())
