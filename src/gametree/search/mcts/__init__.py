"""Monte-Carlo tree search: selection, expansion, simulation and back-up, each with parts that can be exchanged."""
