"""Vectors of texts: what an engine is, and the one that ships inside."""
