"""Writes one export; called in a worker."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from animato.character import Character
from animato.errors import AnimatoError, OptionError
from animato.formats import save_character
from animato.loading import save
from animato.motion import Clip
from animato.outcome import Progress, announcer
from animato.studio.document import Document
from animato.studio.drawing import STUDIO, Drawn, strokes_of
from animato.studio.exporting.recipes import Recipe

SUFFIX_OF = {"character_yaml": ".yaml", "character_urdf": ".urdf", "character_mjcf": ".xml", "character_glb": ".glb"}


@dataclass(frozen=True, eq=False)
class Material:
    """What there is to be exported.

    Attributes:
        title: Name of the take, or of the character.
        character: Who.
        clip: What the robot does; None where there is none.
        artist: What it was made of, where that is another one.
        drawn: The drawing.
        document: All of it, for the whole project.
        folder: Of the project, for files that belong to it.
        recipe: Of a result that is worked out once more.
    """

    title: str
    character: Character
    clip: Clip | None = None
    artist: Clip | None = None
    drawn: Drawn | None = None
    document: Document | None = None
    folder: Path | None = None
    recipe: Recipe | None = None

    @property
    def motion(self) -> Clip:
        """The clip.

        Raises:
            OptionError: There is none.
        """
        if self.clip is None:
            raise OptionError(f"'{self.title}' has no motion yet; draw, pose or import one first.")
        return self.clip


@dataclass(frozen=True)
class Exported:
    """What came of it.

    Attributes:
        file: Name of the file among the exports.
        losses: What it does not hold, a sentence each.
    """

    file: str
    losses: tuple[str, ...] = ()


def export_file(name: str, place: Path, material: Material, progress: Progress | None = None) -> Exported:
    """Writes an export, whole or not at all.

    Args:
        name: Which.
        place: Where to.
        material: Out of what.
        progress: Told of stages.

    Raises:
        AnimatoError: It cannot be made or written.
    """
    announcer(progress)(f"writing {place.name}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if name in SUFFIX_OF:
            return _character(name, place, material)
        if material.recipe is not None:
            return Exported(place.name, _result(name, place, material, progress))
        return Exported(place.name, tuple(_WRITERS[name](place, material, progress)))
    except OSError as error:
        raise AnimatoError(f"Cannot write '{place.name}': {error.strerror or error}.") from None


Losses = tuple[str, ...]


def _result(name: str, place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.studio.exporting.results import write_result

    assert material.recipe is not None  # for the type checker
    return write_result(name, place, material.title, material.character, material.recipe, progress)


def _clip(place: Path, material: Material, progress: Progress | None) -> Losses:
    clip = replace(material.motion, source=material.title)
    return save(place, clip, material.character)


def _training(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.formats.training import save_training_csv, save_training_npz

    write = save_training_csv if place.suffix == ".csv" else save_training_npz
    write(place, material.motion, material.character)
    return ()


def _staged(to: str) -> Callable[[Path, Material, Progress | None], Losses]:
    """Writes a folder of another program, as an archive."""

    def write(place: Path, material: Material, progress: Progress | None) -> Losses:
        from animato.stage.exporting import export

        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / place.name.split(".")[0]
            done = export(folder, material.character, material.motion, to=to, name=material.title)
            _zip(place, folder, [one for one in folder.rglob("*") if one.is_file()])
        return done.left_out

    return write


def _strokes(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.formats.files import write_whole
    from animato.formats.strokes import strokes_json_text

    drawn = material.drawn
    if drawn is None:
        raise OptionError(f"'{material.title}' is not drawn; its motion can be exported as a table.")
    boards = [line.board.values() for point in drawn.points for line in drawn.strokes if line.point == point]
    kept: dict[str, Any] = {STUDIO: {"boards": boards, "wishes": drawn.wishes.values()}}
    write_whole(place, strokes_json_text(strokes_of(drawn), material.title, beside=kept))
    return ()


def _check(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.findings import check
    from animato.report.check import save_json

    result = check(material.character, material.motion, material.artist, clip_name=material.title, progress=progress)
    if place.suffix == ".json":
        save_json(place, result)
    else:
        result.save_page(place)
    return ()


def _picture(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.view import render_strobe, save_gif, save_mp4, save_png

    character, clip = material.character, material.motion
    if place.suffix == ".png":
        save_png(place, render_strobe(character, clip))
    else:
        film = save_gif if place.suffix == ".gif" else save_mp4
        film(place, character, clip, ghost=material.artist, progress=progress)
    return ()


def _joints(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.formats.character_yaml import save_joint_table

    save_joint_table(place, material.character)
    return ()


def _project(place: Path, material: Material, progress: Progress | None) -> Losses:
    from animato.studio.project import CAPTURES, inside, save_project

    if material.document is None or material.folder is None:
        raise OptionError("There is no project to be exported.")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / place.stem
        folder.mkdir()
        save_project(folder, material.document)
        captures = inside(material.folder, CAPTURES)
        if captures.is_dir():
            shutil.copytree(captures, folder / CAPTURES, ignore=_links)
        _zip(place, folder, [one for one in folder.rglob("*") if one.is_file()])
    return ()


def _links(folder: str, names: list[str]) -> list[str]:
    """Links are left out: a project that was sent could carry away what stands elsewhere on the machine."""
    return [name for name in names if (Path(folder) / name).is_symlink()]


def _character(name: str, place: Path, material: Material) -> Exported:
    """A character's files; where there are several, they go into one archive."""
    suffix = SUFFIX_OF[name]
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".writing-") as scratch:
        saved = save_character(Path(scratch) / f"{material.title}{suffix}", material.character)
        if len(saved.files) > 1:
            place = place.with_name(f"{place.name}.zip")
            _zip(place, Path(scratch), saved.files)
        else:
            saved.path.replace(place)
    return Exported(place.name, saved.left_out)


def _zip(place: Path, root: Path, files: list[Path] | tuple[Path, ...]) -> None:
    beside = place.with_name(f".{place.name}.writing")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(files):
                archive.write(file, f"{place.name.split('.')[0]}/{file.relative_to(root).as_posix()}")
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


_WRITERS: dict[str, Callable[[Path, Material, Progress | None], Losses]] = {
    "csv": _clip,
    "npz": _clip,
    "glb": _clip,
    "training_csv": _training,
    "training_npz": _training,
    "ros2_bag": _staged("ros2-mcap"),
    "lerobot": _staged("lerobot"),
    "strokes": _strokes,
    "page": _check,
    "check_json": _check,
    "png": _picture,
    "gif": _picture,
    "mp4": _picture,
    "joint_table": _joints,
    "project": _project,
}
