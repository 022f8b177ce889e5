"""What a word of the line names: a character or a motion."""

from __future__ import annotations

from pathlib import Path

from animato.library import LIBRARY

CHARACTER_SUFFIXES = (".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".usd", ".usda", ".usdc", ".usdz")
MOTION_SUFFIXES = (".npz", ".npy", ".csv", ".tsv", ".bvh", ".amc", ".glb", ".trc", ".c3d")


def is_character(word: str) -> bool:
    """Whether it is a character: by its ending, or by its name as one that comes with animato."""
    return _is_a(word, CHARACTER_SUFFIXES, "characters")


def is_motion(word: str) -> bool:
    """Whether it is a motion, likewise."""
    return _is_a(word, MOTION_SUFFIXES, "clips")


def _is_a(name: str, suffixes: tuple[str, ...], folder: str) -> bool:
    return Path(name).suffix.lower() in suffixes or (name.isidentifier() and any((LIBRARY / folder).glob(f"{name}.*")))
