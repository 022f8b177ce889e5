"""Numbers with units."""

from __future__ import annotations

import math

import pytest

from animato.errors import OptionError
from animato.formats.files.units import UNITS, Dimension, quantity, read_quantity


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("2.6 cm", Dimension.LENGTH, 0.026),
        ("35cm", Dimension.LENGTH, 0.35),
        ("-7 mm", Dimension.LENGTH, -0.007),
        ("3", Dimension.LENGTH, 3.0),
        (".5", Dimension.LENGTH, 0.5),
        ("1e-5", Dimension.TIME, 1e-5),
        ("90 deg", Dimension.ANGLE, math.pi / 2),
        ("-180 deg", Dimension.ANGLE, -math.pi),
        ("250 g", Dimension.MASS, 0.25),
        ("60 rpm", Dimension.ANGULAR_SPEED, 2 * math.pi),
        ("90 deg/s", Dimension.ANGULAR_SPEED, math.pi / 2),
        ("10 kgf.cm", Dimension.TORQUE, 0.980665),
        ("2 N m", Dimension.TORQUE, 2.0),
        ("2 Nm", Dimension.TORQUE, 2.0),
        ("2 N*m", Dimension.TORQUE, 2.0),
        ("500 mN.m", Dimension.TORQUE, 0.5),
        ("200 GPa", Dimension.PRESSURE, 200e9),
        ("7.85 g/cm^3", Dimension.DENSITY, 7850.0),
        ("1.2 kg/m³", Dimension.DENSITY, 1.2),
        (2, Dimension.NUMBER, 2.0),
        (0.1, Dimension.LENGTH, 0.1),
    ],
)
def test_quantities_are_converted_to_si_without_rounding_noise(text: object, dimension: Dimension, value: float):
    assert quantity(text, dimension) == value


@pytest.mark.parametrize(
    ("text", "dimension", "message"),
    [
        ("3 deg", Dimension.LENGTH, r"is an angle \(3 deg\); it must be a length \(m, cm, mm; m where no unit"),
        ("3 furlongs", Dimension.LENGTH, "the unit 'furlongs', which is not known"),
        ("1 m m", Dimension.LENGTH, "not known"),
        ("wide", Dimension.LENGTH, "must be a length .* not 'wide'"),
        (".nan", Dimension.NUMBER, "must be a number, not '.nan'"),
        ("inf", Dimension.NUMBER, "must be a number"),
        ("1e999", Dimension.NUMBER, "must be a number of a possible size"),
        ("1e999999999999 cm", Dimension.LENGTH, "must be a number of a possible size"),
        ("9" * 5000, Dimension.NUMBER, "must be a number of a possible size .*, not '9{60}...'"),
        ("1_000", Dimension.NUMBER, "not known"),
        (True, Dimension.NUMBER, "not 'True'"),
        (math.nan, Dimension.NUMBER, "must be a number"),
        (None, Dimension.MASS, "must be a mass .* not empty"),
        ([1], Dimension.NUMBER, "not a list of 1"),
        ({}, Dimension.NUMBER, "not a mapping"),
        ("\u0661", Dimension.NUMBER, "must be a number"),
    ],
)
def test_what_is_no_quantity_is_explained(text: object, dimension: Dimension, message: str):
    with pytest.raises(OptionError, match=message):
        quantity(text, dimension)


def test_a_quantity_remembers_what_its_unit_measures():
    assert read_quantity("3 deg", Dimension.ANGLE, Dimension.LENGTH).dimension is Dimension.ANGLE
    assert read_quantity("3 mm", Dimension.ANGLE, Dimension.LENGTH).dimension is Dimension.LENGTH
    assert read_quantity("3", Dimension.ANGLE, Dimension.LENGTH).dimension is None


def test_no_unit_stands_for_two_things():
    units = [unit for table in UNITS.values() for unit in table]
    assert len(units) == len(set(units))
