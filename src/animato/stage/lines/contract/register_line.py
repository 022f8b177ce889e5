"""What lines to servos with registers have in common: reading where servos are, and asking them in turns."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from animato.character import Bus
from animato.stage.lines.contract.conversation import Answer, Conversation, Dialect, Hearing
from animato.stage.lines.contract.line import Feedback, LineError
from animato.stage.lines.contract.register import Register
from animato.stage.lines.contract.round import Round, most_at_once
from animato.stage.lines.contract.serial_link import SerialLink

_BUSIEST = 0.8
"""The share of a bus's time that frames may take."""


class RegisterLine(ABC):
    """A bus of servos that are asked for registers. See `Line`.

    Args:
        bus: Which one; its port is opened.
        dialect: How questions are written.
        hearing: How answers are found.
        position: The register of where a servo is.
        block: Of what is asked for in turns: the first register's address, and how many bytes.

    Raises:
        LineError: The port cannot be opened.
    """

    ahead_s = 0.0

    def __init__(
        self, bus: Bus, dialect: Dialect, hearing: Hearing, position: Register, block: tuple[int, int]
    ) -> None:
        self.bus = bus
        self.patience_s = 0.05
        self._link = SerialLink(bus, bus.baud or dialect.usual_baud, self.patience_s)
        self._talk = Conversation(bus, self._link, dialect, hearing)
        self._dialect, self._position, self._block = dialect, position, block
        self._ids: list[int] = []
        self._round = Round(())
        self._goals: dict[int, int] = {}

    @property
    def lost(self) -> int:
        """Answers that were spoiled or did not come in time, since `prepare`."""
        return self._round.lost

    @property
    def polls_a_round(self) -> int:
        """Calls of `poll` in which every servo answers once, as long as all is well."""
        return self._round.polls_a_round

    def positions(self) -> np.ndarray:
        """Where all servos are [counts], shape [slot]."""
        present = self._present(again=True)
        self._refuse_missing(present)
        return np.array([present[id] for id in self._ids], dtype=np.float64)

    def close(self) -> None:
        """Gives the port back; says nothing to the servos. May be called twice."""
        self._link.close()

    @abstractmethod
    def _feedback(self, one: Answer) -> Feedback:
        """What a servo says of itself in the registers of the block."""

    @abstractmethod
    def _exchange_s(self, count: int) -> float:
        """How long a question for the block to so many servos and their answers take [s]."""

    def _polled(self, budget_s: float) -> dict[int, Feedback]:
        """What servos said since the last call, by id; asks some of them for more, in turns."""
        until = time.monotonic() + budget_s
        said: dict[int, Feedback] = {}
        self._take(self._talk.heard(wait=False), said)
        most = most_at_once(budget_s, self._exchange_s, len(self._ids))
        asked = self._round.next(most, time.monotonic())
        if asked:
            self._talk.say(self._dialect.sync_read(asked, *self._block))
        while self._round.waiting and time.monotonic() < until:
            self._take(self._talk.heard(wait=True), said)
        return said

    def _take(self, answers: list[Answer], said: dict[int, Feedback]) -> None:
        for one in answers:
            if len(one.data) == self._block[1] and self._round.answered(one.id, time.monotonic()):
                said[one.id] = self._feedback(one)

    def _present(self, *, again: bool) -> dict[int, int]:
        """Where servos are [counts], by id; those that did not answer are missing, unless they are asked again."""
        register, patience_s = self._position, 0.04 if again else 0.02
        found = self._talk.read_each(self._ids, register.address, register.size, patience_s=patience_s, again=again)
        self._round.begin_anew()  # answers to what was asked before were thrown away
        return {id: register.decode(data, register.address) for id, data in found.items()}

    def _refuse_missing(self, found: dict[int, int] | dict[int, bytes], ids: Sequence[int] | None = None) -> None:
        missing = [id for id in (self._ids if ids is None else ids) if id not in found]
        if missing:
            raise self._talk.silent(missing)

    def _refuse_rate(self, count: int, frame: int, baud: int) -> None:
        """Refuses a bus whose frames, of so many bytes, do not fit into its rate; `baud` is the register for it."""
        frame_s = self._link.seconds(frame)
        if self.bus.rate_hz is not None and frame_s * self.bus.rate_hz > _BUSIEST:
            raise LineError(
                f"{count} servos at {self._link.baud} baud take {1e3 * frame_s:.1f} ms a frame, too long for the "
                f"{self.bus.rate_hz:g} Hz of bus '{self.bus.name}'. Raise `baud` (and that of the servos, register "
                f"{baud}), or lower `rate`."
            )
