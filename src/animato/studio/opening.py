"""Opens a studio: the project, the desk, its tools and its workshop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from animato.errors import OptionError
from animato.studio.capturing import Captured, CaptureTool
from animato.studio.demos import first_document
from animato.studio.designing import DesignTool
from animato.studio.desk import Desk, Tool
from animato.studio.document import Document, Source
from animato.studio.drawing import Drawn, DrawTool
from animato.studio.exporting import ExportTool
from animato.studio.facing import FaceTool
from animato.studio.fixing import FixTool, JoinTool
from animato.studio.keys import Keyed, KeyTool
from animato.studio.posing import PoseTool
from animato.studio.project import Keeper, ProjectTool, TakesTool, is_project, new_document, with_clip
from animato.studio.steadying import SteadyTool
from animato.studio.watching import WatchTool, rest_clip
from animato.studio.workers import JobTool, Processes, Workshop

HOME = "animato-studio"
"""Folder of projects that were not given one."""

SOURCES: dict[str, type[Source]] = {one.kind: one for one in (Keyed, Drawn, Captured)}
"""What takes are made from, by kind."""


@dataclass(frozen=True, eq=False)
class Studio:
    """What runs.

    Attributes:
        desk: Where everything happens.
        folder: Of the project.
        keeper: Saves it.
    """

    desk: Desk
    folder: Path
    keeper: Keeper

    def close(self) -> None:
        """Ends the work and saves."""
        self.desk.close()
        self.keeper.close()


def open_studio(character: str | None = None, clip: str | None = None, folder: Path | None = None) -> Studio:
    """Opens a project, makes it where there is none, and begins to work on it.

    Args:
        character: A shipped character's name or a file; that of the project where not given.
        clip: To begin with, or to add to the project: a shipped one's name or a file.
        folder: Of the project; one of its own below `HOME` where not given.

    Raises:
        AnimatoError: The character or the clip cannot be read, the folder cannot be used, or it is of another
            character.
    """
    folder = folder or Path(HOME) / (Path(character).stem if character else "demo")
    keeper = Keeper(folder)
    try:
        document = _document(keeper, character, clip)
    except BaseException:
        keeper.close()
        raise
    rest_clip(document.character)  # may read meshes, which must not hold up the desk
    desk = Desk(document, keeper.keep, keeper.folder)
    desk.equip(all_tools(desk, Processes(desk), keeper))
    keeper.keep(document)
    desk.start()
    return Studio(desk, keeper.folder, keeper)


def all_tools(desk: Desk, workshop: Workshop, keeper: Keeper) -> list[Tool]:
    """One of each; those that watch come last, as they show what others made of a change."""
    return [
        TakesTool(desk, workshop, keeper.folder),
        ProjectTool(desk, workshop, keeper),
        ExportTool(desk, workshop, keeper.folder),
        KeyTool(desk, workshop),
        PoseTool(desk, workshop),
        FaceTool(desk, workshop),
        DrawTool(desk, workshop),
        DesignTool(desk, workshop),
        CaptureTool(desk, workshop),
        SteadyTool(desk, workshop),
        FixTool(desk, workshop),
        JoinTool(desk, workshop),
        WatchTool(desk, workshop),
        JobTool(desk, workshop),
    ]


def _document(keeper: Keeper, character: str | None, clip: str | None) -> Document:
    """The project's document, with the character and the clip that were asked for."""
    if is_project(keeper.folder):
        document = keeper.load(SOURCES)
        if character is not None and Path(character).stem not in (document.character_name, document.character.name):
            raise OptionError(
                f"The project '{keeper.folder}' is of {document.character.name}; given {character}. Leave the "
                "character out, change it in the project, or choose another folder."
            )
    else:
        document = first_document(character) if clip is None else new_document(character or "pico")
    return document if clip is None else with_clip(document, clip)
