"""The bridge to editors such as Blender: a character told as bones, a motion judged or put right, as plain files."""

from animato.stage.bridge.answer import Answer, answer_to_check, answer_to_fix
from animato.stage.bridge.bones import Bone, Channel, Skeleton, bones_of
from animato.stage.bridge.bridge_files import BRIDGE_VERSION, save_bridge_file
from animato.stage.bridge.description import describe
from animato.stage.bridge.markers import Mark, marks_of
from animato.stage.bridge.progress_lines import ProgressLines

__all__ = [
    "BRIDGE_VERSION",
    "Answer",
    "Bone",
    "Channel",
    "Mark",
    "ProgressLines",
    "Skeleton",
    "answer_to_check",
    "answer_to_fix",
    "bones_of",
    "describe",
    "marks_of",
    "save_bridge_file",
]
