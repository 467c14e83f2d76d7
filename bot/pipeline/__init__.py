"""The line: from a window to the outcome of each of its cases."""

from bot.pipeline.following import follow
from bot.pipeline.gathering import Gathered, gather
from bot.pipeline.line import Line
from bot.pipeline.scans import scan
from bot.pipeline.watched import look_again
from bot.stages.report import Scan

__all__ = ["Gathered", "Line", "Scan", "follow", "gather", "look_again", "scan"]
