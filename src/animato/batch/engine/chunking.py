"""How many tasks go together: short ones by the second, long ones alone, few at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from animato.batch.engine.task import Finished, Task
from animato.errors import OptionError

AIM_S = 1.0
"""What a chunk is to take [s]: long beside what sending it costs, short beside what a kill may lose."""

_FORGET = 0.5  # what an older measurement counts beside the next; the first one has the loading of a character in it
_LEAST = 0.1  # of the aim, for chunks at the end
_MOST_TASKS = 2000  # of a chunk, however short: what a kill may lose


@dataclass
class Chunking:
    """Cuts tasks into chunks by what was measured so far.

    Attributes:
        slots: Processes that work at the same time.
        total: Tasks there are, or more.
        size: Tasks of every chunk; measured where None.
        aim_s: What a chunk is to take [s].
    """

    slots: int
    total: int
    size: int | None = None
    aim_s: float = AIM_S
    _taken: int = 0
    _rates: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.size is not None and self.size < 1:
            raise OptionError(f"`chunk` is how many tasks go together, 1 or more; given {self.size!r}.")

    def measured(self, done: Finished) -> None:
        """Learns how long a chunk took. Chunks of several groups are left out: nobody knows which took how long."""
        groups = {task.group for task in done.tasks}
        if done.results is None or len(groups) != 1:
            return
        (group,) = groups
        seconds, weight = self._rates.get(group, (0.0, 0.0))
        added = sum(task.weight for task in done.tasks)
        self._rates[group] = (_FORGET * seconds + done.seconds, _FORGET * weight + added)

    def expected(self, task: Task) -> float | None:
        """What a task should take [s]; None where none of its group has been measured."""
        seconds, weight = self._rates.get(task.group, (0.0, 0.0))
        return seconds / weight * task.weight if weight > 0.0 else None

    def chunks(self, tasks: Iterable[Task]) -> Iterator[list[Task]]:
        """Chunks in the order of the tasks; each is cut when it is asked for, so that it knows what was measured."""
        chunk: list[Task] = []
        filled = 0.0
        for task in tasks:
            cost = self._cost(task)
            if chunk and (self._is_full(len(chunk), filled, cost) or task.group != chunk[0].group):
                yield chunk
                chunk, filled, cost = [], 0.0, self._cost(task)
            chunk.append(task)
            filled += cost
            self._taken += 1
        if chunk:
            yield chunk

    def _cost(self, task: Task) -> float:
        if self.size is not None:
            return 1.0
        known = self.expected(task)
        return self.aim_s if known is None else known  # what is not known goes alone

    def _is_full(self, count: int, filled: float, cost: float) -> bool:
        """Whether the next task, of a given cost, begins a new chunk."""
        if self.size is not None:
            return count >= self.size
        if count >= _MOST_TASKS or filled + cost > self.aim_s:
            return True
        if filled + cost < _LEAST * self.aim_s:
            return False
        left = max(0, self.total - self._taken)
        return count >= max(1, left // (2 * self.slots))  # at the end no process has long to wait for another
