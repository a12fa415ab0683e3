"""Skat: rules, records, an open-hand solver and the game plugin."""

from .game import game

__all__ = ["game"]
