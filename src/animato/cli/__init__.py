"""The command line: each command parses, calls one function, prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import tyro

from animato.cli.characters_command import characters
from animato.cli.check_command import check
from animato.cli.convert_command import convert
from animato.cli.demo_command import demo
from animato.cli.design_command import design
from animato.cli.express_command import express
from animato.cli.options import BROKEN, WRONG_INPUT
from animato.cli.trace_command import trace
from animato.cli.view_command import view
from animato.errors import AnimatoError

# Before NumPy is loaded: our matrices are small, and threads that wait for each other cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS: dict[str, Callable[..., int]] = {
    "check": check,
    "view": view,
    "express": express,
    "trace": trace,
    "design": design,
    "demo": demo,
    "characters": characters,
    "convert": convert,
}
"""In the order in which a newcomer meets them."""

DESCRIPTION = """Turn an artist's motion into motion that a physical robot character can perform.

Exit status: 0 all is well, 1 the robot cannot do it, 2 something is wrong with what was given.
Add --debug to any command for the traceback behind an error."""


def main() -> None:
    """Runs one command and exits with its status; a user's mistake is one clear line."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        sys.exit(run(arguments or ["--help"]))
    except AnimatoError as error:
        if debug:
            raise
        print(f"animato: {error}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:  # a fault of ours: still one line, and how to tell us more
        if debug:
            raise
        print(
            f"animato: {type(error).__name__}: {error}. This is a fault in animato; --debug shows where.",
            file=sys.stderr,
        )
        sys.exit(BROKEN)


def run(arguments: list[str]) -> int:
    """Runs one command of the program."""
    return int(tyro.extras.subcommand_cli_from_dict(COMMANDS, prog="animato", description=DESCRIPTION, args=arguments))
