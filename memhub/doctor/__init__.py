"""Examines the file: its form, its log, and whether what is derived from the log is what it should be."""
