"""How a document begins: with a character, with a clip out of a file, with a pose that is held."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from animato.character import Character
from animato.errors import MotionError
from animato.formats import load_character, shipped_characters
from animato.loading import load_clip_and_losses
from animato.loading.preparing import prepared
from animato.motion import Clip, Posture
from animato.outcome import Progress
from animato.studio.document import Document, Take
from animato.studio.keys import Keyed

_SECONDS = 4.0


def new_document(character: str | Path) -> Document:
    """A project of a character with one take in which it stands still, ready for keys.

    Args:
        character: The name of one that comes with animato, or a file.

    Raises:
        AnimatoError: It cannot be read.
    """
    model, name = load_character(character), str(character)
    document = Document(model, name if name in shipped_characters() else Path(name).name)
    return document.with_take(held_take("take 1", model, _SECONDS))


def held_take(name: str, character: Character, seconds: float, posture: Posture | None = None) -> Take:
    """A take in which a posture is held; that of its file that is called "rest" or "stand", where none is given.

    Args:
        name: Of the take.
        character: Who.
        seconds: [s].
        posture: Which.
    """
    if posture is None:
        known = {one.name for one in character.postures}
        first = next((one for one in ("stand", "rest") if one in known), None)
        posture = None if first is None else Posture.named(character, first)
    keyed = Keyed.hold(character, seconds, posture)
    return Take(name, keyed, keyed.clip)


def with_clip(document: Document, clip: str | Path) -> Document:
    """With a clip out of a file as one more take, which is open.

    Args:
        document: Before.
        clip: A file of any format that is read, or the name of a clip that comes with animato.

    Raises:
        AnimatoError: It cannot be read, or nothing in it is of the character.
    """
    motion, remark = read_motion(document.character, clip)
    return document.with_take(take_of_clip(document, Path(clip).stem, motion, remark))


def take_of_clip(document: Document, wanted: str, clip: Clip, remark: str = "") -> Take:
    """A take of a clip, which can be edited by keys."""
    name = document.free_name(wanted) if any(letter.isalnum() for letter in wanted) else document.free_name("clip")
    return Take(name, Keyed.of(clip), clip, remark=remark)


def read_motion(character: Character, file: str | Path, progress: Progress | None = None) -> tuple[Clip, str]:
    """A clip of a character out of a file, and what there is to say about it.

    A captured skeleton whose bones are called like the joints gives its angles; reference poses and whole turns are
    left out, and so is what the character does not have.

    Raises:
        AnimatoError: It cannot be read, or nothing in it is of the character.
    """
    clip, losses = load_clip_and_losses(file, character)
    known = [name for name in clip.names if name in character.coordinate_names]
    remarks = list(losses)
    if not known and not (clip.has_base and character.floats):
        shown = ", ".join(clip.names[:5]) or "nothing"
        raise MotionError(
            f"'{Path(file).name}' moves {shown:.200} and no joint of '{character.name}', whose joints are "
            f"{', '.join(character.coordinate_names[:5])}... A capture is opened by the tool for captures."
        )
    if len(known) < len(clip.names):
        left = len(clip.names) - len(known)
        remarks.append(f"{left} of {len(clip.names)} columns are of no joint of '{character.name}' and left out")
        clip = clip.selected(known)
    if clip.has_base and not character.floats:
        remarks.append("where the root is was left out: this character is held")
        clip = replace(clip, base_positions=None, base_quaternions_wxyz=None)
    ready = prepared(character, clip)
    return ready.clip, _sentence([*remarks, *ready.remarks, ready.doubt])


def _sentence(remarks: list[str]) -> str:
    """All remarks as one; what names a parameter is for programs and left out."""
    parts = [part.strip(" .") for remark in remarks for part in remark.split(";") if "`" not in part]
    text = "; ".join(part for part in parts if part)
    return f"{text[0].upper()}{text[1:]}." if text else ""
