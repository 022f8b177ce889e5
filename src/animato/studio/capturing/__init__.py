"""Captured people become motions of the character."""

from animato.studio.capturing.capture_files import place_of
from animato.studio.capturing.capture_tool import CaptureTool
from animato.studio.capturing.captured import Captured
from animato.studio.capturing.errands import asked

__all__ = ["CaptureTool", "Captured", "asked", "place_of"]
