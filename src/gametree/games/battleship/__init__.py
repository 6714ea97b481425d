"""Battleship: the rules, and what a player can know of where the other's ships are."""
