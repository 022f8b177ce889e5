"""What a project holds: takes of one character, all values that never change, so that undo is looking back."""

from animato.studio.document.document import Document
from animato.studio.document.history import History, Step
from animato.studio.document.source import Keep, Read, Source, source_from
from animato.studio.document.take import Take

__all__ = ["Document", "History", "Keep", "Read", "Source", "Step", "Take", "source_from"]
