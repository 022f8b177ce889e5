"""What is said where no transition exists."""

from __future__ import annotations

from animato.errors import MotionError


class TransitionError(MotionError):
    """The robot cannot go from the one motion to the other as asked; the message says which joint, and what would."""
