"""Skat: rules, records, an open-hand solver and the game plugin."""

from .game import Skat, game

__all__ = ["Skat", "game"]
