"""animato's own character file."""

from animato.formats.character_yaml.reader import load_character_yaml
from animato.formats.character_yaml.table import joint_table, save_joint_table
from animato.formats.character_yaml.writer import save_character_yaml

__all__ = [
    "joint_table",
    "load_character_yaml",
    "save_character_yaml",
    "save_joint_table",
]
