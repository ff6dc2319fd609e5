"""The types that cross layers, one module per subject; import the module you need, nothing loads the rest."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

EMPTY: Mapping[str, Any] = MappingProxyType({})
"""The default of a field that holds JSON values."""
