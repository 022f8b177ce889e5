"""A project is a folder of text files: opened, kept while people work, all of it or nothing written."""

from animato.studio.project.beginning import new_document, read_motion, take_of_clip, with_clip
from animato.studio.project.keeper import Keeper, Kept
from animato.studio.project.places import CAPTURES, EXPORTS, free_place, inside, stems
from animato.studio.project.project_tool import ProjectTool, with_character
from animato.studio.project.reader import is_project, load_project
from animato.studio.project.takes_tool import TakesTool
from animato.studio.project.writer import save_project

__all__ = [
    "CAPTURES",
    "EXPORTS",
    "Keeper",
    "Kept",
    "ProjectTool",
    "TakesTool",
    "free_place",
    "inside",
    "is_project",
    "load_project",
    "new_document",
    "read_motion",
    "save_project",
    "stems",
    "take_of_clip",
    "with_character",
    "with_clip",
]
