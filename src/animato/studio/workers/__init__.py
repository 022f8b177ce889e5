"""Work that would hold up the desk: in processes of their own, with progress, and ended where it is not wanted."""

from animato.studio.workers.inline import Inline
from animato.studio.workers.job_tool import JobTool
from animato.studio.workers.processes import Processes
from animato.studio.workers.workshop import Failed, Job, Then, Workshop

__all__ = ["Failed", "Inline", "Job", "JobTool", "Processes", "Then", "Workshop"]
