"""Chinese checkers."""
