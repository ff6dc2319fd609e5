"""The synchronous Python API: `Memory`, with one verb for whatever a command, a screen or a program may want."""

from memhub.workspace.memory import Memory

__all__ = ["Memory"]
