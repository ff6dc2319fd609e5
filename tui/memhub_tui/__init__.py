"""The terminal user interface of mh: browse and edit everything with the keyboard."""
