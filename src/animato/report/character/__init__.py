"""A character in words."""

from animato.report.character.text import character_list, character_text

__all__ = [
    "character_list",
    "character_text",
]
