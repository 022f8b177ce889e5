"""Has tasks done, wherever; a process that dies takes nothing with it but the task that killed it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from animato.batch.engine.chunking import Chunking
from animato.batch.engine.pools import Place, Pool
from animato.batch.engine.task import Finished, Task, Work

_AHEAD = 2  # chunks for each process: one that runs, one that waits for it


def run_tasks(
    work: Work, tasks: Iterable[Task], place: Place, *, total: int, chunk: int | None = None
) -> Iterator[Finished]:
    """Has tasks done and tells of each chunk as it is done.

    Memory does not grow with the number of tasks: they are taken one by one, and what is told of is forgotten.

    Args:
        work: What does a chunk.
        tasks: In the order in which they are begun.
        place: Where.
        total: How many tasks there are, or more.
        chunk: Tasks that go together; found by measuring where None.

    Yields:
        Chunks in the order in which they are done. Where a process dies, all tasks that it may have had are done again
        one by one; one that kills its process then, too, comes back alone and without results.
    """
    suspects: list[Task] = []
    with place.opened() as pool:
        chunking = Chunking(pool.slots, total, chunk)
        for done in _streamed(pool, work, chunking.chunks(tasks), _AHEAD * pool.slots):
            if done.results is None:
                suspects += done.tasks
            else:
                chunking.measured(done)
                yield done
    if suspects:
        with place.opened(alone=True) as pool:
            yield from _streamed(pool, work, ([one] for one in suspects), 1)


def _streamed(pool: Pool, work: Work, chunks: Iterable[Sequence[Task]], most: int) -> Iterator[Finished]:
    """Keeps so many chunks on their way."""
    ahead = 0
    for chunk in chunks:
        pool.submit(work, chunk)
        ahead += 1
        while ahead >= most:
            for done in pool.finished():
                ahead -= 1
                yield done
    while ahead:
        for done in pool.finished():
            ahead -= 1
            yield done
