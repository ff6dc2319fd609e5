"""One screen per file, its stylesheet beside it."""
