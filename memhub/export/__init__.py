"""mh-export, version 1: everything the file knows as JSON Lines, and the way back."""
