"""Everything that can be taken out of the studio: motions, pages, films, characters, the project."""

from animato.studio.exporting.catalogue import EXPORTS
from animato.studio.exporting.export import Export
from animato.studio.exporting.export_tool import ExportTool
from animato.studio.exporting.making import Exported, Material, export_file

__all__ = ["EXPORTS", "Export", "ExportTool", "Exported", "Material", "export_file"]
