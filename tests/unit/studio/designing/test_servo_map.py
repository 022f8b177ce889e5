"""A servo map outlives a design: freed, found, accepted, saved and read again."""

from dataclasses import replace
from pathlib import Path

import animato as an
from animato.design import freed
from animato.formats.character_yaml import load_character_yaml
from animato.stage.servos import first_map
from animato.studio.designing.accepting import accepted_character
from animato.studio.project.texts import character_bytes


def test_an_accepted_design_keeps_its_servos(tmp_path: Path) -> None:
    mapped = first_map(an.load_character("lamp"), "feetech", "/dev/ttyACM0")
    lamp = replace(mapped, wires=tuple(replace(wire, zero=2048.0, sign=-1) for wire in mapped.wires))
    proposal = freed(lamp, "elbow:position:0.02,0,0.01")
    assert len(proposal.joints) > len(lamp.joints)
    after = accepted_character(lamp, proposal)
    assert (after.buses, after.wires) == (lamp.buses, lamp.wires)
    place = tmp_path / "lamp.yaml"
    place.write_bytes(character_bytes(after, place))
    read = load_character_yaml(place)
    assert (read.buses, read.wires) == (lamp.buses, lamp.wires)
