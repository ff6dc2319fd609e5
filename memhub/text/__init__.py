"""Pure functions over text; nothing here reads files, clocks or settings."""
