"""What is known to stand in the files of a project, so that only what changed is written."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Record:
    """Files of a project as they are on the disk.

    Attributes:
        things: By the name of each file what it holds: a clip, a take, a character. Values never change, so one that
            is still the same needs no writing.
        prints: By the name of each file the fingerprint of its content.
    """

    things: dict[str, object] = field(default_factory=dict)
    prints: dict[str, str] = field(default_factory=dict)
