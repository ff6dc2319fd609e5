"""What comes of many items together: who they speak of, what they have in common, a page for the morning."""
