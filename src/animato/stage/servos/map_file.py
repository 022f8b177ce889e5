"""The file in which a servo map stands: changed entry by entry, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from animato.character import Character
from animato.errors import OptionError
from animato.formats import shipped_characters
from animato.formats.character_yaml import (
    SpliceError,
    character_from_yaml,
    servo_map_data,
    servo_map_from_text,
    with_entries,
)
from animato.formats.files import Value, decoded, parse_yaml, read_bytes_whole, write_whole

Changes = Mapping[str, Mapping[str, Value] | None]
"""What is to stand under each name of a section; None takes it out."""

_YAML = (".yaml", ".yml")
_SECTIONS = ("buses", "servos")
_UTF16, _MARK = (b"\xff\xfe", b"\xfe\xff"), b"\xef\xbb\xbf"


@dataclass(frozen=True)
class MapFile:
    """Where the servo map of a character stands, or is to stand.

    Attributes:
        path: Of the file.
        is_character: Whether it is the character's own file; else it holds the map alone.
    """

    path: Path
    is_character: bool

    @property
    def backup(self) -> Path:
        """Where the file is kept as it was before it was changed."""
        return self.path.with_name(self.path.name + ".bak")


def map_file_of(given: str, character: Character, servos: str | Path | None = None) -> MapFile:
    """Where the map of a character is read from and written to.

    Args:
        given: What the user called the character: a file or a name.
        character: Which that is.
        servos: A servo map in a file of its own; else the character's own file where that is YAML, and NAME.servos.yaml
            in this folder where it is not, or where the character comes with animato.
    """
    if servos is not None:
        if Path(servos).suffix.lower() not in _YAML:
            raise OptionError(f"A servo map is a .yaml file; `servos` is '{servos}'.")
        return MapFile(Path(servos), False)
    if Path(given).suffix.lower() in _YAML and given not in shipped_characters():
        return MapFile(Path(given), True)
    return MapFile(Path(f"{character.name}.servos.yaml"), False)


def changes_between(before: Character, after: Character) -> tuple[Changes, Changes]:
    """What of buses and servos differs between two maps of one character."""
    old, new = servo_map_data(before), servo_map_data(after)
    found: list[Changes] = []
    for section in _SECTIONS:
        was, now = (one.get(section, {}) for one in (old, new))
        assert isinstance(was, dict)
        assert isinstance(now, dict)
        gone: dict[str, Mapping[str, Value] | None] = {name: None for name in was if name not in now}
        changed = {name: value for name, value in now.items() if isinstance(value, dict) and was.get(name) != value}
        found.append(changed | gone)
    return found[0], found[1]


def save_changes(file: MapFile, character: Character, buses: Changes, servos: Changes) -> Character:
    """Writes entries of a servo map into its file; all else in it stays byte for byte.

    The text is read back before anything is written, and the file as it was is kept beside it, with .bak behind its
    name.

    Args:
        file: Where.
        character: Whose map it is.
        buses: Changes of the section `buses`.
        servos: Changes of the section `servos`.

    Returns:
        The character with the map as it stands in the file now.

    Raises:
        AnimatoError: It would not be a servo map, or cannot be written; then the file is as it was.
    """
    path = file.path.resolve()  # a link stays a link
    before = read_bytes_whole(path) if path.exists() else None
    text = decoded(before, path) if before is not None else f"animato: 1\nname: {character.name}\n"
    rest = _rest(text, path)  # refuses what is no YAML, with its line
    try:
        after = with_entries(with_entries(text, "buses", buses), "servos", servos)
        made = _read(file, character, after, path)
        if rest != _rest(after, path):
            raise SpliceError("Something else in the file would change with it.")
    except SpliceError as error:
        raise OptionError(
            f"{error} '{file.path}' stays as it is; give a file of its own for the servo map by `servos`."
        ) from None
    if before is not None:
        write_whole(file.backup, before)
    write_whole(path, _encoded(after, before))
    return made


def _read(file: MapFile, character: Character, text: str, path: Path) -> Character:
    if file.is_character:
        return character_from_yaml(text, source=file.path, folder=path.parent)
    return servo_map_from_text(character, text, file.path)


def _rest(text: str, path: Path) -> object:
    data = parse_yaml(text, path).data
    return {key: value for key, value in data.items() if key not in _SECTIONS} if isinstance(data, dict) else data


def _encoded(text: str, before: bytes | None) -> bytes:
    """The text in the encoding that the file had."""
    if before is not None and before[:2] in _UTF16:
        return before[:2] + text.encode("utf-16-le" if before[:2] == _UTF16[0] else "utf-16-be")
    mark = _MARK if before is not None and before.startswith(_MARK) else b""
    return mark + text.encode("utf-8")
