"""What states, games and arguments are to machine code."""
