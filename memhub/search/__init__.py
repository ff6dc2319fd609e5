"""Finds items: by words, by meaning, by label, by exact text; one ranking over all ways."""

from memhub.search.run import search

__all__ = ["search"]
