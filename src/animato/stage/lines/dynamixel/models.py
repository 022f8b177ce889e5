"""Dynamixel servos of the X family, and MX with protocol 2.0: their names, and what a count of current is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    """One kind of servo.

    Attributes:
        name: As the vendor writes it.
        current_unit: One count of its current [A]; None where it measures none and register 126 is a load instead.
    """

    name: str
    current_unit: float | None


_XM, _XV, _SMALL, _MX = 2.69e-3, 1.34e-3, 1e-3, 3.36e-3

MODELS: dict[int, Model] = {
    30: Model("MX-28(2.0)", None),
    311: Model("MX-64(2.0)", _MX),
    321: Model("MX-106(2.0)", _MX),
    1000: Model("XH430-W350", _XM),
    1001: Model("XD430-T350", _XM),
    1010: Model("XH430-W210", _XM),
    1011: Model("XD430-T210", _XM),
    1020: Model("XM430-W350", _XM),
    1030: Model("XM430-W210", _XM),
    1040: Model("XH430-V350", _XV),
    1050: Model("XH430-V210", _XV),
    1060: Model("XL430-W250", None),
    1070: Model("XC430-W150", None),
    1080: Model("XC430-W240", None),
    1090: Model("2XL430-W250", None),
    1100: Model("XH540-W270", _XM),
    1101: Model("XD540-T270", _XM),
    1110: Model("XH540-W150", _XM),
    1111: Model("XD540-T150", _XM),
    1120: Model("XM540-W270", _XM),
    1130: Model("XM540-W150", _XM),
    1140: Model("XH540-V270", _XM),
    1150: Model("XH540-V150", _XM),
    1160: Model("2XC430-W250", None),
    1170: Model("XW540-T260", _XM),
    1180: Model("XW540-T140", _XM),
    1190: Model("XL330-M077", _SMALL),
    1200: Model("XL330-M288", _SMALL),
    1210: Model("XC330-T181", _SMALL),
    1220: Model("XC330-T288", _SMALL),
    1230: Model("XC330-M181", _SMALL),
    1240: Model("XC330-M288", _SMALL),
    1270: Model("XW430-T333", _XM),
    1280: Model("XW430-T200", _XM),
    1310: Model("XW540-H260", _XM),
    1710: Model("XM335-T323", _SMALL),
}
"""By model number. All have the same registers up to 146, 4096 counts a turn and protocol 2.0. Numbers and units are
those of the control tables in the maker's e-manual, but for 1280: its page has the number of the T333."""
