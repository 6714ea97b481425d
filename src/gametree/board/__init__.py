"""Boards as plain data, for everybody who draws or reads a position."""

from gametree.board.data import Board, Cell, Kind, Piece
from gametree.board.found import board_of

__all__ = ["Board", "Cell", "Kind", "Piece", "board_of"]
