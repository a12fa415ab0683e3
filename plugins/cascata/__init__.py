"""Cascata: a pyramid that opens row by row, melds that can be stolen; rules, plugin, hints and computer players."""

from .game import game

__all__ = ["game"]
