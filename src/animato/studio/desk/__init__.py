"""The desk at which everybody works: one thread, one document, any number of pages that look at it."""

from animato.studio.desk.desk import Desk
from animato.studio.desk.fields import Fields
from animato.studio.desk.packed import packed
from animato.studio.desk.page import Page
from animato.studio.desk.tool import Answer, Tool

__all__ = ["Answer", "Desk", "Fields", "Page", "Tool", "packed"]
