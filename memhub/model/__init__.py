"""The types that cross layers, one module per subject; import the module you need, nothing loads the rest."""
