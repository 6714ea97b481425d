"""Go, Hex and Othello for other programs: the Go Text Protocol, version 2, of Gunnar Farnebäck (2002)."""
