"""Looking, live: a character that holds a posture faces a target that people drag."""

from animato.studio.facing.choosing import build_gaze, what_looks
from animato.studio.facing.face_tool import FaceTool

__all__ = ["FaceTool", "build_gaze", "what_looks"]
