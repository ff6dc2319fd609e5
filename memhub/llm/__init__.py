"""How a language model is asked; without a configured one nothing in here opens a connection."""
