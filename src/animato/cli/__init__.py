"""The command line: each command parses, calls one function, prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from animato.cli.characters_command import characters
from animato.cli.check_command import check
from animato.cli.convert_command import convert
from animato.cli.demo_command import demo
from animato.cli.design_command import design
from animato.cli.express_command import express
from animato.cli.fit_command import fit
from animato.cli.fix_command import fix
from animato.cli.join_command import join
from animato.cli.line import (
    BROKEN,
    CHARACTER_SUFFIXES,
    MOTION_SUFFIXES,
    WRONG_INPUT,
    as_flags,
    cleaned,
    is_character,
    is_motion,
    joined_values,
    refuse_repeated,
)
from animato.cli.mimic_command import mimic
from animato.cli.simulate_command import simulate
from animato.cli.stage import batch, bridge, export, play, servos, show
from animato.cli.steady_command import steady
from animato.cli.studio_command import studio
from animato.cli.trace_command import trace
from animato.cli.view_command import view
from animato.cli.warm_command import warm
from animato.errors import AnimatoError, OptionError, did_you_mean
from animato.version import __version__

COMMANDS: dict[str, Callable[..., int]] = {
    "studio": studio,
    "check": check,
    "fix": fix,
    "view": view,
    "join": join,
    "express": express,
    "trace": trace,
    "design": design,
    "steady": steady,
    "mimic": mimic,
    "simulate": simulate,
    "fit": fit,
    "demo": demo,
    "characters": characters,
    "play": play,
    "show": show,
    "servos": servos,
    "export": export,
    "batch": batch,
    "convert": convert,
    "bridge": bridge,
    "warm": warm,
}
"""In the order in which a newcomer meets them."""

DESCRIPTION = """Turn an artist's motion into motion that a physical robot character can perform.

Exit status: 0 all is well, 1 the robot cannot do it, 2 something is wrong with what was given.
Add --debug to any command for the traceback behind an error; animato --version tells the version."""


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
        print(f"animato: {cleaned(as_flags(str(error)))}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it flushes at the end
        sys.exit(0)
    except Exception as error:  # a fault of ours: still one line, and how to tell us more
        if debug:
            raise
        print(
            f"animato: {type(error).__name__}: {cleaned(str(error))}. This is a fault in animato; --debug shows where.",
            file=sys.stderr,
        )
        sys.exit(BROKEN)


def run(arguments: list[str]) -> int:
    """Runs one command of the program."""
    import tyro

    if arguments[0] == "--version":
        print(f"animato {__version__}")
        return 0
    refuse_unknown(arguments[0])
    refuse_swapped(arguments)
    if arguments[0] in COMMANDS:  # alone, so that hints are about its own flags
        command, *rest = arguments
        refuse_repeated(rest, COMMANDS[command])
        return int(tyro.cli(COMMANDS[command], prog=f"animato {command}", args=joined_values(rest)))
    return int(tyro.extras.subcommand_cli_from_dict(COMMANDS, prog="animato", description=DESCRIPTION, args=arguments))


def refuse_unknown(command: str) -> None:
    """Says which command was meant where there is none of that name."""
    if command.startswith("-") or command in COMMANDS:
        return
    hint = did_you_mean(command, COMMANDS)
    if Path(command).suffix.lower() in (*CHARACTER_SUFFIXES, *MOTION_SUFFIXES):
        hint = f" That is a file; did you mean: animato check {command} ...?"
    raise OptionError(f"There is no command '{command}'.{hint} Commands: {', '.join(COMMANDS)}.")


def refuse_swapped(arguments: list[str]) -> None:
    """Says how it goes where a motion stands in the place of the character and the other way round."""
    command, given = arguments[0], arguments[1:3]
    if command == "play" and len(given) == 2 and not any(one.startswith("-") for one in given):
        clip, robot = reversed(given) if is_motion(given[1]) else given
        raise OptionError(f"The robot is named by `robot`. Did you mean: animato play {clip} --robot {robot}?")
    if command not in ("check", "view", "fix", "join", "steady", "simulate") or len(given) < 2:
        return
    if is_motion(given[0]) and is_character(given[1]):
        raise OptionError(
            f"'{given[0]}' is a motion and '{given[1]}' a character: the character comes first. "
            f"Did you mean: animato {command} {given[1]} {given[0]}?"
        )
