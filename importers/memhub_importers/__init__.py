"""mh's importers: one file per format, one row in the registry."""
