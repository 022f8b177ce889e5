"""What every bus of servos can do, and what their languages have in common."""

from animato.stage.lines.contract.conversation import Answer, Conversation, Dialect
from animato.stage.lines.contract.line import Feedback, Found, Line, LineError, Slot
from animato.stage.lines.contract.merging import merged
from animato.stage.lines.contract.ranges import Change, limit_changes, name_of, refuse_turns, refuse_while_held
from animato.stage.lines.contract.register import Register
from animato.stage.lines.contract.register_line import RegisterLine
from animato.stage.lines.contract.round import Round
from animato.stage.lines.contract.serial_link import SerialLink

__all__ = [
    "Answer",
    "Change",
    "Conversation",
    "Dialect",
    "Feedback",
    "Found",
    "Line",
    "LineError",
    "Register",
    "RegisterLine",
    "Round",
    "SerialLink",
    "Slot",
    "limit_changes",
    "merged",
    "name_of",
    "refuse_turns",
    "refuse_while_held",
]
