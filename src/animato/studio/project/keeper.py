"""Saves as people work: in a thread of its own, the newest document, a fraction of a second after an edit."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from animato.errors import AnimatoError
from animato.studio.document import Document, Source
from animato.studio.project.folder_lock import FolderLock
from animato.studio.project.places import PROJECT
from animato.studio.project.reader import Told, is_project, read_project
from animato.studio.project.record import Record
from animato.studio.project.texts import read_json
from animato.studio.project.writer import write_project

_WAIT_S = 0.2
"""From the first edit that is not saved until saving begins: what else comes in this time is saved with it."""

_AGAIN_S = 2.0
"""Until saving is tried again where it could not be done."""


@dataclass(frozen=True)
class Kept:
    """How the work is kept.

    Attributes:
        saved: Whether all of it is on the disk.
        when: The time of the last saving [s since 1970]; 0 where there was none yet.
        trouble: Why it could not be saved, in a sentence; "" where it could.
    """

    saved: bool
    when: float = 0.0
    trouble: str = ""


class Keeper:
    """Holds the folder of a project and keeps it as the document is.

    Attributes:
        folder: Of the project.
        remarks: What of the project could not be opened, a sentence each.
        on_kept: Told after each time of saving and each failure, in the keeper's thread.
    """

    def __init__(self, folder: str | Path) -> None:
        """Takes the folder; it is made where it is not there.

        Raises:
            AnimatoError: Another studio has it, it holds other things than a project, or it cannot be written to.
        """
        self.folder = Path(folder).absolute()
        self.remarks: tuple[str, ...] = ()
        self.on_kept: Callable[[Kept], object] = lambda _: None
        if not is_project(self.folder) and _holds_something(self.folder):
            raise AnimatoError(
                f"The folder '{self.folder}' holds other things and no project. Choose an empty or a new one."
            )
        self._lock = FolderLock(self.folder)
        self._record = Record()
        self._newest: Document | None = None
        self._saved: Document | None = None
        self._kept = Kept(saved=True)
        self._closing = False
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def kept(self) -> Kept:
        """How the work is kept just now."""
        with self._change:
            saved = self._newest is self._saved  # also where an edit that could not be saved was undone
            return Kept(saved, self._kept.when, "" if saved else self._kept.trouble)

    def load(self, kinds: Mapping[str, type[Source]], told: Told | None = None) -> Document:
        """Opens the project that is in the folder; see `load_project`."""
        remarks: list[str] = []
        document, self._record = read_project(self.folder, kinds, remarks.append)
        self.remarks = tuple(remarks)
        if told is not None:
            for words in remarks:
                told(words)
        self._newest = self._saved = document
        return document

    def keep(self, document: Document) -> None:
        """Has a document saved soon; back at once, from any thread."""
        with self._change:
            self._newest = document
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="animato-keeper", daemon=True)
                self._thread.start()
            self._change.notify_all()
            saved = document is self._saved
        if saved:  # an edit was undone before it was saved: there is nothing to do, and that is told
            self.on_kept(self.kept)

    def close(self) -> None:
        """Saves what is not saved and gives the folder back."""
        with self._change:
            self._closing = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._lock.release()

    def _work(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._newest is not self._saved or self._closing)
                # gather what comes within a moment, but never longer: the first edit waits, too
                self._change.wait_for(lambda: self._closing, timeout=_WAIT_S)
                document, last = self._newest, self._closing
            if document is not None and document is not self._saved:
                trouble = self._save(document)
                if trouble and not last:
                    with self._change:
                        self._change.wait_for(lambda: self._closing, timeout=_AGAIN_S)
            if last:
                return

    def _save(self, document: Document) -> str:
        """Why it could not be saved; "" where it was."""
        trouble = ""
        try:
            if not self._record.prints and is_project(self.folder):
                self._record = _known_files(self.folder)
            self._record = write_project(self.folder, document, self._record)
        except AnimatoError as error:
            trouble = str(error)
        except Exception as error:  # a fault of ours must not end the saving of what comes later
            traceback.print_exc(file=sys.stderr)
            trouble = f"Saving failed ({type(error).__name__}: {error})."
        with self._change:
            if not trouble:
                self._saved = document
            self._kept = Kept(not trouble, self._kept.when if trouble else time.time(), trouble)
        self.on_kept(self.kept)
        return trouble


def _holds_something(folder: Path) -> bool:
    try:
        return folder.exists() and any(not one.name.startswith(".") for one in folder.iterdir())
    except OSError as error:
        raise AnimatoError(f"Cannot work in '{folder}': {error.strerror or error}. Choose another folder.") from None


def _known_files(folder: Path) -> Record:
    """What a project that was not opened here says about its files."""
    values = read_json(folder / PROJECT, (folder / PROJECT).read_bytes())
    files = values.get("files")
    return Record({}, {str(name): str(mark) for name, mark in files.items()} if isinstance(files, dict) else {})
