"""Minimax and alpha-beta as the textbook has them."""
