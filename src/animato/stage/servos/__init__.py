"""The servo map: which servos are there, where their zeros are, and one joint moved by hand."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.stage.servos.beginning import first_map
    from animato.stage.servos.calibrating import Calibration, calibrate, save_calibration
    from animato.stage.servos.encoder import Encoder, Placement, place
    from animato.stage.servos.finding import FoundBus, find_servos, serial_ports
    from animato.stage.servos.jogging import Jogged, Step, jog
    from animato.stage.servos.map_file import MapFile, changes_between, map_file_of, save_changes
    from animato.stage.servos.map_table import MapRow, map_rows, map_troubles
    from animato.stage.servos.probe import Look, Probe
    from animato.stage.servos.setting import set_values
    from animato.stage.servos.task import Ask, Outcome
    from animato.stage.servos.working_out import CalibrationError, Readings, Worked, work_out

_NAMES = {
    "calibrating": ("Calibration", "calibrate", "save_calibration"),
    "encoder": ("Encoder", "Placement", "place"),
    "finding": ("FoundBus", "find_servos", "serial_ports"),
    "beginning": ("first_map",),
    "jogging": ("Jogged", "Step", "jog"),
    "map_file": ("MapFile", "changes_between", "map_file_of", "save_changes"),
    "map_table": ("MapRow", "map_rows", "map_troubles"),
    "probe": ("Look", "Probe"),
    "setting": ("set_values",),
    "task": ("Ask", "Outcome"),
    "working_out": ("CalibrationError", "Readings", "Worked", "work_out"),
}

__all__ = [
    "Ask",
    "Calibration",
    "CalibrationError",
    "Encoder",
    "FoundBus",
    "Jogged",
    "Look",
    "MapFile",
    "MapRow",
    "Outcome",
    "Placement",
    "Probe",
    "Readings",
    "Step",
    "Worked",
    "calibrate",
    "changes_between",
    "find_servos",
    "first_map",
    "jog",
    "map_file_of",
    "map_rows",
    "map_troubles",
    "place",
    "save_calibration",
    "save_changes",
    "serial_ports",
    "set_values",
    "work_out",
]

__getattr__, __dir__ = lazily(__name__, {f"{__name__}.{module}": names for module, names in _NAMES.items()})
