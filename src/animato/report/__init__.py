"""What a person reads: the check report, as a page, as text and as JSON."""

from animato.report.finding import Finding
from animato.report.findings import CheckResult, check_clip

__all__ = ["CheckResult", "Finding", "check_clip"]
