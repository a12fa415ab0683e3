"""Dez Degraus: climb ten phases; rules, plugin, hints and computer players."""

from __future__ import annotations

from .game import game

__all__ = ["game"]
