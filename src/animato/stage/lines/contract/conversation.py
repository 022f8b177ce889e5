"""Questions to servos on a serial bus and their answers, each within a deadline, whatever is spoken there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from animato.character import Bus
from animato.stage.lines.contract.line import LineError
from animato.stage.lines.contract.register import Register
from animato.stage.lines.contract.serial_link import SerialLink

ANSWER_S = 0.04
"""How long an answer may take outside of a stream [s]: a USB adapter may keep it for 16 ms, a busy computer longer."""

_TRIES = 3


@dataclass(frozen=True)
class Answer:
    """What a servo said.

    Attributes:
        id: Which one.
        error: The byte in which it says that something is wrong.
        data: The registers that it was asked for.
    """

    id: int
    error: int
    data: bytes


class Hearing(Protocol):
    """Finds answers in a stream of bytes."""

    def feed(self, data: bytes) -> list[Answer]:
        """Takes what arrived and returns the answers that are complete."""
        ...

    def clear(self) -> None:
        """Forgets the beginning of an answer."""
        ...


@dataclass(frozen=True)
class Dialect:
    """How questions of one protocol are written.

    Attributes:
        ping: (id) -> a packet.
        read: (id, address, length) -> a packet.
        write: (id, address, data) -> a packet.
        sync_read: (ids, address, length) -> a packet that asks several servos.
        sync_write: ({id: data}, address) -> a packet that tells several servos.
        ping_length: Bytes of data in the answer to a ping.
        frame: Bytes of an answer beside its data.
        refusal: (error byte) -> why the servo did not do as it was told; empty where it did.
        usual_baud: What the servos come with.
    """

    ping: Callable[[int], bytes]
    read: Callable[[int, int, int], bytes]
    write: Callable[[int, int, bytes], bytes]
    sync_read: Callable[[Sequence[int], int, int], bytes]
    sync_write: Callable[[Mapping[int, bytes], int], bytes]
    ping_length: int
    frame: int
    refusal: Callable[[int], str]
    usual_baud: int


class Conversation:
    """Speaks with the servos of one bus.

    Args:
        bus: Which one, for messages.
        link: Its port.
        dialect: How questions are written.
        hearing: How answers are found.

    Attributes:
        link: The port.
        spoke_s: When something was last written [s, of time.monotonic].
    """

    def __init__(self, bus: Bus, link: SerialLink, dialect: Dialect, hearing: Hearing) -> None:
        self.link = link
        self.spoke_s = 0.0
        self._bus, self._dialect, self._hearing = bus, dialect, hearing

    def say(self, data: bytes) -> None:
        """Writes a packet; nothing is waited for."""
        self.link.write(data)
        self.spoke_s = time.monotonic()

    def sync_write(self, register: Register, values: Mapping[int, int]) -> None:
        """Writes a register of several servos at once; none answers."""
        if values:
            data = {id: register.encode(value) for id, value in values.items()}
            self.say(self._dialect.sync_write(data, register.address))

    def heard(self, *, wait: bool) -> list[Answer]:
        """Answers that came in; where none is there yet, waits about a millisecond if asked to."""
        return self._hearing.feed(self.link.read() if wait else self.link.drain())

    def ping(self, id: int, *, tries: int = _TRIES, patience_s: float = ANSWER_S) -> Answer | None:
        """The answer of one servo, or None."""
        return self._ask(id, self._dialect.ping(id), self._dialect.ping_length, tries, patience_s)

    def read(self, id: int, address: int, length: int) -> bytes:
        """Registers of one servo.

        Raises:
            LineError: It does not answer, or refuses.
        """
        answer = self._ask(id, self._dialect.read(id, address, length), length)
        if answer is None:
            raise self.silent([id])
        self._check(answer, f"to say what is in register {address}")
        return answer.data

    def write(self, id: int, register: Register, value: int) -> None:
        """Writes a register of one servo and waits until it says that it is done.

        Raises:
            LineError: It does not answer, or refuses.
        """
        answer = self._ask(id, self._dialect.write(id, register.address, register.encode(value)), length=0)
        if answer is None:
            raise self.silent([id])
        self._check(answer, f"to take {value} into register {register.address}")

    def write_and_look(self, id: int, register: Register, value: int) -> None:
        """Writes a register of one servo, which may not answer to that, and reads it back.

        Raises:
            LineError: It does not answer, or has another value then.
        """
        held = None
        for _ in range(_TRIES):
            question = self._dialect.write(id, register.address, register.encode(value))
            self._ask(id, question, length=0, tries=1)  # where it answers, its answer must not meet the next question
            held = register.decode(self.read(id, register.address, register.size), register.address)
            if held == value:
                return
        raise LineError(
            f"Servo {id} on bus '{self._bus.name}' was to take {value} into register {register.address} and has {held}."
        )

    def read_each(
        self, ids: Sequence[int], address: int, length: int, *, patience_s: float = ANSWER_S, again: bool = True
    ) -> dict[int, bytes]:
        """The same registers of several servos; those that did not answer are missing.

        Args:
            ids: Of the servos.
            address: Of the first register.
            length: In bytes.
            patience_s: How long all may take, beside their time on the wire [s].
            again: Whether to ask those once more, one by one, that did not answer.
        """
        found: dict[int, bytes] = {}
        if not ids:
            return found
        self.hush()
        self.say(self._dialect.sync_read(ids, address, length))
        until = time.monotonic() + patience_s + len(ids) * self.link.seconds(length + self._dialect.frame)
        for one in self._until(until):
            if one.id in ids and len(one.data) == length:
                found[one.id] = one.data
                if len(found) == len(ids):
                    break
        for id in ids if again else ():
            if id not in found:
                answer = self._ask(id, self._dialect.read(id, address, length), length)
                if answer is not None and len(answer.data) == length:
                    found[id] = answer.data
        return found

    def hush(self) -> None:
        """Forgets answers to earlier questions."""
        self.link.quiet()
        self._hearing.clear()

    def let_finish(self, count: int, patience_s: float = 0.005) -> None:
        """Hears answers that are still on the wire and forgets them: the next question must not meet them there.

        Args:
            count: How many were asked for and have not come.
            patience_s: The longest that is waited [s].
        """
        until = time.monotonic() + patience_s
        while count > 0 and time.monotonic() < until:
            count -= len(self.heard(wait=True))

    def silent(self, ids: Sequence[int]) -> LineError:
        """The error for servos that do not answer."""
        who = f"Servo {ids[0]}" if len(ids) == 1 else f"Servos {', '.join(str(id) for id in ids)}"
        verb = "does" if len(ids) == 1 else "do"
        return LineError(
            f"{who} on bus '{self._bus.name}' {verb} not answer at {self.link.baud} baud. Check power and cable, the "
            f"id in the servo map, and 'kind' and 'baud' of the bus there (servos of kind {self._bus.kind} come with "
            f"{self._dialect.usual_baud})."
        )

    def _ask(
        self, id: int, question: bytes, length: int, tries: int = _TRIES, patience_s: float = ANSWER_S
    ) -> Answer | None:
        """Asks one servo until it answers with so many bytes, or refuses; a few times."""
        for attempt in range(tries):  # ever longer: a busy computer may be late with an answer, and then with the next
            self.hush()
            self.say(question)
            until = (
                time.monotonic()
                + patience_s * 2**attempt
                + self.link.seconds(len(question) + length + self._dialect.frame)
            )
            for answer in self._until(until):
                if answer.id == id and (len(answer.data) == length or self._dialect.refusal(answer.error)):
                    return answer
        return None

    def _until(self, until: float) -> Iterator[Answer]:
        """Answers as they come in until a time [s], and those that are there then: this program may have slept."""
        over = False
        while not over:
            over = time.monotonic() >= until
            yield from self.heard(wait=True)

    def _check(self, answer: Answer, what: str) -> None:
        why = self._dialect.refusal(answer.error)
        if why:
            raise LineError(f"Servo {answer.id} on bus '{self._bus.name}' refuses {what}: {why}.")
