"""Mean errors of an older tracker on the courses that are for reporting, measured once with 3 cases of 30 s each."""

from __future__ import annotations

RECORDED: dict[str, float] = {}
"""By character, course and follower: `before` looked 12 s ahead, `horizon3` 3 s."""
