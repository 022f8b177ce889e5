"""Characters from files and from the library that comes with animato."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from animato.character import Character
from animato.errors import FileFormatError, OptionError, UnknownNameError
from animato.formats.files import is_folder, is_there, shortened
from animato.formats.outgoing import Saved
from animato.formats.urdf import BaseChoice

USD_SUFFIXES = (".usda", ".usd", ".usdc", ".usdz")
SUFFIXES = (".yaml", ".yml", ".urdf", ".xml", ".mjcf", *USD_SUFFIXES)
WRITTEN_CHARACTERS = (".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".glb")


def load_character(
    name_or_path: str | os.PathLike[str],
    *,
    base: BaseChoice = "auto",
    package_dirs: Sequence[str | Path] = (),
    loops: str | Path | None = None,
) -> Character:
    """Loads a character.

    Args:
        name_or_path: A file (.yaml or .yml: animato's own; .urdf; .xml or .mjcf: MJCF, or URDF where
            its first element says so; .usda, .usd, .usdc or .usdz: USD), or the name of a character
            that comes with animato.
        base: For URDF and USD: "ground" holds the robot in the world, "float" lets it float, "auto"
            decides (see `urdf.load_urdf` and `usd.load_usd`).
        package_dirs: For URDF: folders in which `package://` addresses of meshes are looked for.
        loops: For URDF: a YAML file that closes its loops; one of the same name beside the URDF file
            is found by itself (see `urdf_loops`).

    Raises:
        UnknownNameError: There is neither such a file nor such a character.
        FileFormatError: The file is wrong; the message says where and why.
    """
    path = Path(name_or_path)
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return _load_file(path, suffix, base, package_dirs, loops)
    name = str(name_or_path)
    if name in shipped_characters():
        return _load_shipped(name)
    if suffix or len(path.parts) > 1 or is_there(path):
        raise _not_a_character_file(path)
    raise _unknown(name)


def shipped_characters() -> tuple[str, ...]:
    """Names of the characters that come with animato, sorted."""
    folder = resources.files("animato") / "library" / "characters"
    if not folder.is_dir():
        return ()
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")))


def save_character(path: str | Path, character: Character) -> Saved:
    """Writes a character, whole or not at all, and says what the format does not hold.

    Args:
        path: Its ending says the format: .yaml or .yml, animato's own, from which an equal character comes back;
            .urdf, with a loop file beside it where the character has loops; .xml or .mjcf, MJCF; .glb, what is
            seen of it. Files that belong to one another are written all or none.
        character: What is written.

    Raises:
        OptionError: There is no such format.
        CharacterError: The character cannot be said in that format.
    """
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix in (".yaml", ".yml"):
        from animato.formats.character_yaml import save_character_yaml

        written = save_character_yaml(place, character)
        return Saved(written, (written,))
    if suffix == ".urdf":
        from animato.formats.urdf import save_urdf

        return save_urdf(place, character)
    if suffix in (".xml", ".mjcf"):
        from animato.formats.mjcf import save_mjcf

        return save_mjcf(place, character)
    if suffix == ".glb":
        from animato.formats.glb import save_glb

        return save_glb(place, character)
    raise OptionError(
        f"Characters are written as {', '.join(WRITTEN_CHARACTERS)}, not as '{place.name}'; the ending says the format."
    )


def _load_file(
    path: Path, suffix: str, base: BaseChoice, package_dirs: Sequence[str | Path], loops: str | Path | None
) -> Character:
    if suffix in (".yaml", ".yml"):
        from animato.formats.character_yaml import load_character_yaml

        _refuse_loops(path, loops)
        return load_character_yaml(path)
    if suffix in USD_SUFFIXES:
        from animato.formats.usd import load_usd

        _refuse_loops(path, loops)
        return load_usd(path, base=base)
    from animato.formats.files import load_xml
    from animato.formats.urdf import load_urdf

    root = load_xml(path)
    if root.tag == "mujoco":
        from animato.formats.mjcf import load_mjcf

        _refuse_loops(path, loops)
        return load_mjcf(path)
    if root.tag == "robot":
        from animato.formats.loops import loops_beside

        closures = loops_beside(path) if loops is None else loops
        return load_urdf(path, base=base, package_dirs=package_dirs, loops=closures)
    raise FileFormatError(
        path,
        f"it starts with <{shortened(root.tag)}>; a URDF file starts with <robot>, an MJCF file with <mujoco>.",
        root.line,
    )


def _refuse_loops(path: Path, loops: str | Path | None) -> None:
    if loops is not None:
        raise OptionError(f"Loop closures ('{loops}') are for URDF files; '{path.name}' states its loops itself.")


def _load_shipped(name: str) -> Character:
    from animato.formats.character_yaml import load_character_yaml

    entry = resources.files("animato") / "library" / "characters" / f"{name}.yaml"
    with resources.as_file(entry) as path:
        return load_character_yaml(path)


def _not_a_character_file(path: Path) -> FileFormatError:
    hint = " Expand it first: xacro robot.xacro > robot.urdf." if path.suffix.lower() == ".xacro" else ""
    if is_folder(path):
        hint = " This is a folder."
    return FileFormatError(path, f"a character is a file that ends in {', '.join(SUFFIXES)}.{hint}")


def _unknown(name: str) -> UnknownNameError:
    from animato.errors import did_you_mean

    known = shipped_characters()
    return UnknownNameError(
        f"There is no character '{name}'.{did_you_mean(name, known)} "
        f"Characters that come with animato: {', '.join(known)}. Or give a file that ends in {', '.join(SUFFIXES)}."
    )
