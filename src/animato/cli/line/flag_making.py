"""Flags made from what the library takes: one list of options, one default each, one sentence of help each.

A verb's `Options` dataclass becomes flags as it is; a reader's keywords (a TypedDict of which nothing need be given)
become flags that are left out where they are not said. Units in names tell the metavar: `--duration-s S`.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from tyro.conf import OmitArgPrefixes, UseAppendAction, arg

from animato.errors import OptionError

_UNITS = {"s": "S", "hz": "HZ", "m": "M", "ms": "MS", "deg": "DEG"}
_NO_FLAG = re.compile(r"-[xyz]|-[^-\s]*\s")
_METAVARS = {float: "X", int: "N", str: "NAME"}


def flags(source: type, *bases: type, **metavars: str) -> Any:
    """The type of a command's parameter whose fields become flags of that command.

    Args:
        source: A dataclass whose fields all have defaults, or a TypedDict with `total=False`.
        *bases: Of a TypedDict: those whose docstrings have sentences for what it takes over from them.
        **metavars: By field, where the unit in its name does not tell.

    Returns:
        An annotated dataclass: of a dataclass a subclass, so that what is parsed is an instance of it; of a TypedDict
        one with `stated()`, the keywords that were said.
    """
    hints = get_type_hints(source)
    if is_typeddict(source):
        # a switch is off where it is not said; anything else is then left out
        fields = [
            (name, bool, False) if kind is bool else (name, _flag(name, kind | None, metavars), None)
            for name, kind in hints.items()
        ]
        made = dataclasses.make_dataclass(source.__name__, fields, frozen=True, namespace={"stated": _stated})
    else:
        fields = [
            (one.name, _flag(one.name, hints[one.name], metavars), _default(one))
            for one in dataclasses.fields(source)
            if one.init
        ]
        made = dataclasses.make_dataclass(source.__name__, fields, bases=(source,), frozen=True, repr=False, eq=False)
    made.__doc__ = _with_attributes(*(one.__doc__ or "" for one in (source, *bases)))
    made.__module__ = source.__module__
    return Annotated[made, OmitArgPrefixes]


def _with_attributes(doc: str, *others: str) -> str:
    """A docstring with the attributes of other docstrings after its own."""
    more = [inspect.cleandoc(one).partition("Attributes:\n")[2] for one in others]
    return "\n".join([inspect.cleandoc(doc), *more])


def unset(kind: Any) -> Any:
    """What a command's parameter of such a type is where no flag is given: all defaults."""
    return get_args(kind)[0]()


def _default(one: dataclasses.Field[Any]) -> Any:
    if one.default_factory is not dataclasses.MISSING:
        return dataclasses.field(default_factory=one.default_factory)
    return one.default


def _stated(self: Any) -> dict[str, Any]:
    """What was said on the command line, for the reader."""
    return {name: value for name, value in vars(self).items() if value is not None and value is not False}


def _flag(name: str, kind: Any, metavars: dict[str, str]) -> Any:
    """A field's type with the metavar of its flag; choices and switches keep their own."""
    inner = kind
    optional = get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)
    if optional:
        rest = [one for one in get_args(kind) if one is not type(None)]
        inner = rest[0] if len(rest) == 1 else kind
    listed = get_origin(inner) is tuple
    metavar = (
        metavars.get(name)
        or _UNITS.get(name.rpartition("_")[2])
        or _METAVARS.get(get_args(inner)[0] if listed else inner)
    )
    if metavar is None and get_origin(inner) in (dict, Mapping):
        metavar = "NAME NAME"
    if metavar is None and optional and get_origin(inner) is Literal:
        metavar = "{" + ",".join(map(str, get_args(inner))) + "}"
    settings: dict[str, Any] = {} if metavar is None else {"metavar": metavar}
    if optional or listed:
        settings["help_behavior_hint"] = ""  # the sentence says what happens where it is not given
    return Annotated[kind, arg(**settings)] if settings else kind


def joined_values(arguments: list[str]) -> list[str]:
    """Arguments in which a value that begins with a minus is part of its flag: alone it would look like a flag.

    Such are axes and planes (--forward=-y, --plane="-yz at 0.6,0,0.7") and whatever has a space in it. Numbers and
    vectors need no help.
    """
    joined: list[str] = []
    for argument in arguments:
        if _NO_FLAG.match(argument) and joined and joined[-1].startswith("--") and "=" not in joined[-1]:
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def refuse_repeated(arguments: list[str], command: Callable[..., int]) -> None:
    """Says so where a flag stands twice that does not gather what it is given: the later one would silently win."""
    hints = get_type_hints(command, include_extras=True)
    gather = {
        "--" + name.replace("_", "-")
        for name, hint in hints.items()
        if UseAppendAction in getattr(hint, "__metadata__", ())
    }
    given = [argument.split("=", 1)[0] for argument in arguments if argument.startswith("--")]
    for name in dict.fromkeys(given):
        if given.count(name) > 1 and name not in gather:
            raise OptionError(
                f"{name} stands {given.count(name)} times. Give it once; where it takes several values, write them "
                f"behind one another: {name} ONE OTHER."
            )


def as_flags(message: str) -> str:
    """A sentence of the library for people at a terminal: parameters in backticks become flags."""
    return re.sub(r"`([a-z][a-z0-9_]*)(?:=([^`]*))?`", _as_flag, message)


def _as_flag(found: re.Match[str]) -> str:
    flag = "--" + found.group(1).replace("_", "-")
    return flag if found.group(2) is None else f"{flag} {found.group(2)}"
