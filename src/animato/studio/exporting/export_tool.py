"""The tool of exports: everything that can be taken along."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from animato.errors import AnimatoError, OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.drawing import Drawn
from animato.studio.exporting.catalogue import EXPORTS
from animato.studio.exporting.export import CHARACTER, DESIGN, DRAWING, FLOATING, PROJECT, Export
from animato.studio.exporting.making import Exported, Material, export_file
from animato.studio.exporting.recipes import recipe_of
from animato.studio.project import EXPORTS as FOLDER
from animato.studio.project import inside, stems
from animato.studio.workers import Workshop


class ExportTool(Tool):
    """Writes into the project's folder `exports`, from where pages download.

    Attributes:
        name: Of the tool.
    """

    name = "export"

    def __init__(self, desk: Desk, workshop: Workshop, folder: Path | None = None) -> None:
        """Of a desk.

        Args:
            desk: Whose document.
            workshop: Writes.
            folder: Of the project; that of the desk where not given.
        """
        self._desk, self._workshop = desk, workshop
        self._folder = folder or desk.folder

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"export.make": self._make, "export.list": self._list}

    def state(self) -> Mapping[str, Any]:
        """All exports."""
        return {"exports": [one.for_page() for one in EXPORTS]}

    def _list(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """All `exports` of the `take` of a name or the open one; `why` says why one cannot be had."""
        document, take = self._desk.document, self._take(fields)
        return {"exports": [{**one.for_page(), "why": self._why(one, document, take)} for one in EXPORTS]}

    def _why(self, export: Export, document: Document, take: Take | None) -> str:
        try:
            self._material(export, document, take)
        except AnimatoError as error:
            return str(error)
        return export.why

    def _take(self, fields: Fields) -> Take | None:
        document = self._desk.document
        return document.take(fields.text("take")) if fields.has("take") else document.open_take

    def _make(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`what` to export, of the `take` of a name or the open one; `exported` says when it is there."""
        kinds = {one.name: one for one in EXPORTS}
        export = kinds[fields.choice("what", tuple(kinds))]
        document, take = self._desk.document, self._take(fields)
        if export.why:
            raise OptionError(export.why)
        material = self._material(export, document, take)
        place = inside(self._folder, f"{FOLDER}/{stems([material.title])[0]}{export.ending}")

        def then(exported: Exported) -> None:
            told = {"what": export.name, "file": exported.file, "losses": list(exported.losses)}
            self._desk.tell("exported", told, page)

        def failed(words: str) -> None:
            self._desk.tell("exported", {"what": export.name, "file": "", "losses": [], "error": words}, page)

        arguments = (export.name, place, material)
        if export.slow:
            title = f"exporting '{place.name}'"
            job = self._workshop.start(title, export_file, *arguments, then=then, failed=failed)
            return {"file": place.name, "job": job.number}
        # a lane of its own for each, so that none is left out for a newer one
        self._workshop.quickly(f"export {place.name}", export_file, *arguments, then=then, failed=failed)
        return {"file": place.name}

    def _material(self, export: Export, document: Document, take: Take | None) -> Material:
        """What the export is made of.

        Raises:
            OptionError: It is not there.
        """
        character = document.character
        if export.needs == CHARACTER:
            return Material(character.name, character)
        if export.needs == PROJECT:
            return Material(self._folder.absolute().name, character, document=document, folder=self._folder)
        recipe = recipe_of(export.name, export.needs, document, take, self._folder)
        if recipe is not None:
            title = character.name if export.needs == DESIGN or take is None else take.name
            return Material(title, character, recipe=recipe)
        if take is None:
            raise OptionError("There is no take to be exported; draw, pose or import one first.")
        if export.needs == DRAWING:
            if not isinstance(take.source, Drawn):
                raise OptionError(f"'{take.name}' is not drawn; its motion can be exported as a table.")
            return Material(take.name, character, drawn=take.source)
        if take.clip is None:
            raise OptionError(f"'{take.name}' has no motion yet{f': {take.remark}' if take.remark else '.'}")
        if export.needs == FLOATING and not (character.floats and take.clip.has_base):
            raise OptionError("This is for characters that float, and takes that say where their root is.")
        return Material(take.name, character, take.clip, take.motion if take.performed is not None else None)
