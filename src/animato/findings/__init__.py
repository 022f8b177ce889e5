"""What a clip asks too much of, and what would help."""

from animato.findings.balance_finding import BalanceFinding, find_balance
from animato.findings.checking import CheckResult, check, with_soles
from animato.findings.coverage import Coverage
from animato.findings.finding import Finding, findings_of
from animato.findings.human_units import human_unit, in_human_unit, percent, rounded, seconds, si_symbol, unbroken
from animato.findings.joint_names import capitalized, listed, pretty_names
from animato.findings.limit_band import limit_band
from animato.findings.suggestions import servos_that_do, suggestions
from animato.findings.words import (
    CAPACITY,
    balance_sentence,
    checked_sentence,
    distance,
    finding_sentence,
    interval_words,
    moment,
    speed_percent,
    verdict,
)

__all__ = [
    "CAPACITY",
    "BalanceFinding",
    "CheckResult",
    "Coverage",
    "Finding",
    "balance_sentence",
    "capitalized",
    "check",
    "checked_sentence",
    "distance",
    "find_balance",
    "finding_sentence",
    "findings_of",
    "human_unit",
    "in_human_unit",
    "interval_words",
    "limit_band",
    "listed",
    "moment",
    "percent",
    "pretty_names",
    "rounded",
    "seconds",
    "servos_that_do",
    "si_symbol",
    "speed_percent",
    "suggestions",
    "unbroken",
    "verdict",
    "with_soles",
]
