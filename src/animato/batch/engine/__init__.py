"""What runs thousands of tasks: chunks of measured size, on this machine or a cluster, and what is finished so far."""

from animato.batch.engine.chunking import Chunking
from animato.batch.engine.deadline import LateError, checked_longest, deadline
from animato.batch.engine.pools import PLACES, Place
from animato.batch.engine.running import run_tasks
from animato.batch.engine.storage import Listed, Storage
from animato.batch.engine.store import Store
from animato.batch.engine.task import Finished, Task, Work

__all__ = [
    "PLACES",
    "Chunking",
    "Finished",
    "LateError",
    "Listed",
    "Place",
    "Storage",
    "Store",
    "Task",
    "Work",
    "checked_longest",
    "deadline",
    "run_tasks",
]
