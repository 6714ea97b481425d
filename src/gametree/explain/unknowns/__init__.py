"""What the value of a root is, as a function of unknown leaves."""
