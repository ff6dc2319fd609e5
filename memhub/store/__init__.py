"""The one file: truth (versions and log entries), projections derived from it, and what is local to the device."""
