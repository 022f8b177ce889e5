"""animato's own character file."""

from animato.formats.character_yaml import values
from animato.formats.character_yaml.reader import character_from_yaml, load_character_yaml
from animato.formats.character_yaml.reading_sections import section_of
from animato.formats.character_yaml.schema import Named, Section
from animato.formats.character_yaml.servo_map import save_servo_map, servo_map_data, servo_map_from_text, with_servo_map
from animato.formats.character_yaml.splicing import SpliceError, with_entries
from animato.formats.character_yaml.table import joint_table, save_joint_table
from animato.formats.character_yaml.writer import character_to_yaml, save_character_yaml

__all__ = [
    "Named",
    "Section",
    "SpliceError",
    "character_from_yaml",
    "character_to_yaml",
    "joint_table",
    "load_character_yaml",
    "save_character_yaml",
    "save_joint_table",
    "save_servo_map",
    "section_of",
    "servo_map_data",
    "servo_map_from_text",
    "values",
    "with_entries",
    "with_servo_map",
]
