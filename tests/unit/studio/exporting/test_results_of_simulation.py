"""Pages, films and files of `steady`, `simulate` and `mimic`, as the command line would write them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

from animato.formats import load_character
from animato.loading import load_clip
from animato.mimic.contacts import load_contacts
from animato.mimic.mapping import load_mapping
from animato.studio.capturing import Captured
from tests.studio_exports import At, document_of


def test_what_bends_is_steadied_and_simulated(tmp_path: Path) -> None:
    rod = load_character("rod")
    clip = load_clip("rod_swing", rod)
    document = document_of("rod", clip=clip.part(slice(0, 16)))
    at = At(tmp_path, document.with_settings("steady", stiffness=1.5))
    page, losses = at.make("steady_page")
    assert page.stat().st_size > 50_000 and losses and "1.5 times as stiff" in losses[0]
    assert json.loads(at.make("steady_json")[0].read_text())
    assert at.make("simulate_page")[0].stat().st_size > 50_000
    assert json.loads(at.make("simulate_json")[0].read_text())
    rows = list(csv.reader(at.make("simulate_csv")[0].read_text().splitlines()))
    assert rows[0][0] == "time_s" and len(rows) > 10
    assert at.make("simulate_gif")[0].read_bytes()[:4] == b"GIF8"
    assert at.make("steady_gif")[0].read_bytes()[:4] == b"GIF8"


def test_a_capture_gives_what_mimic_writes(tmp_path: Path) -> None:
    captured = Captured("person_wave", end_s=0.6)
    at = At(tmp_path, document_of("pico", captured))
    mapping, _ = at.make("mimic_mapping")
    contacts, _ = at.make("mimic_contacts")
    assert load_mapping(mapping).sources
    assert load_contacts(contacts) is not None
    skeleton, _ = at.make("capture_bvh")
    assert skeleton.read_text().startswith("HIERARCHY")
    assert at.make("mimic_page")[0].stat().st_size > 50_000
    assert json.loads(at.make("mimic_json")[0].read_text())
    arrays = np.load(at.make("mimic_npz")[0])
    assert any("contact" in name for name in arrays.files)
