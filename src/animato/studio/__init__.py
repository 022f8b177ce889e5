"""The studio: draw, pose and watch in a browser, with everything that the verbs can do."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.studio.document import Document, Take
    from animato.studio.keys import Ease, Key, Keyed
    from animato.studio.opening import HOME, Studio, open_studio
    from animato.studio.project import save_project

__all__ = ["HOME", "Document", "Ease", "Key", "Keyed", "Studio", "Take", "open_studio", "save_project"]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.studio.document": ["Document", "Take"],
        "animato.studio.keys": ["Ease", "Key", "Keyed"],
        "animato.studio.opening": ["HOME", "Studio", "open_studio"],
        "animato.studio.project": ["save_project"],
    },
)
