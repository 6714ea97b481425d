"""One file a command: the function of the same name describes its options and does what they ask for."""
