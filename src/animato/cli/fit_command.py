"""`animato fit`."""

from __future__ import annotations

from typing import Annotated

from tyro.conf import Positional, arg

from animato.cli.line import DOES_NOT_FIT, FITS, CharacterName, OutFile, check_suffix, say, working


def fit(
    character: Positional[CharacterName],
    record: Positional[Annotated[str, arg(metavar="RECORD")]],
    /,
    *,
    part: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="(default: the only one)")] = None,
    marker: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="(default: what moves most)")] = None,
    body: Annotated[str | None, arg(metavar="NAME", help_behavior_hint="(default: at the part's far end)")] = None,
    out: OutFile = None,
    page: OutFile = None,
    json: OutFile = None,
) -> int:
    """Find what a flexible part is made of from a recorded free oscillation.

    Args:
        character: The stand: a part held at one end with a mass at its tip; its material is the first guess.
        record: Where the tip was after it had been let go: .csv (time and displacement, or x, y, z), .c3d or .trc.
        part: Which flexible part.
        marker: Which marker, or column, of the record.
        body: What the marker was on.
        out: Also write the character with the fitted material, .yaml.
        page: Also write a page, .html.
        json: Also write the numbers for machines.
    """
    from animato.formats import load_character, load_motion
    from animato.formats.character_yaml import save_character_yaml
    from animato.report.material_fit import fit_text, save_json
    from animato.steady.materials import fit_material, oscillation_from_motion

    for path, what, *allowed in (
        (out, "the character", ".yaml", ".yml"),
        (page, "the page", ".html", ".htm"),
        (json, "the numbers", ".json"),
    ):
        check_suffix(path, what, *allowed)
    with working("reading") as progress:
        stand = load_character(character)
        swing = oscillation_from_motion(load_motion(record), marker)
        found = fit_material(stand, swing, part=part, body=body, progress=progress)
        if out is not None:
            save_character_yaml(out, found.character)
        if page is not None:
            found.save_page(page)
        if json is not None:
            save_json(json, found)
    for sentence in fit_text(found):
        say(sentence)
    for path, what in ((out, "The character"), (page, "The page"), (json, "The numbers")):
        if path is not None:
            say(f"{what}: {path}")
    return FITS if found.outcome.usable else DOES_NOT_FIT
