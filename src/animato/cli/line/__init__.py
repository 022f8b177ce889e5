"""What every command is made of: flags from options, what several of them take, what is said on a terminal."""

from animato.cli.line.common_options import (
    AS_STATED,
    BROKEN,
    DOES_NOT_FIT,
    FITS,
    WRONG_INPUT,
    Base,
    CharacterName,
    HowToRead,
    MotionName,
    OtherMotion,
    OutFile,
    check_suffix,
)
from animato.cli.line.flag_making import as_flags, flags, joined_values, refuse_repeated, unset
from animato.cli.line.kinds_of_words import CHARACTER_SUFFIXES, MOTION_SUFFIXES, is_character, is_motion
from animato.cli.line.terminal import cleaned, console, say, working

__all__ = [
    "AS_STATED",
    "BROKEN",
    "CHARACTER_SUFFIXES",
    "DOES_NOT_FIT",
    "FITS",
    "MOTION_SUFFIXES",
    "WRONG_INPUT",
    "Base",
    "CharacterName",
    "HowToRead",
    "MotionName",
    "OtherMotion",
    "OutFile",
    "as_flags",
    "check_suffix",
    "cleaned",
    "console",
    "flags",
    "is_character",
    "is_motion",
    "joined_values",
    "refuse_repeated",
    "say",
    "unset",
    "working",
]
