"""What happens to something new or changed: the only way into the store."""
