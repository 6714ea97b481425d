"""Where gametree talks to people and programs: the command line and the terminal."""
