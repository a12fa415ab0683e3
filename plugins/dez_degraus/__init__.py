"""Dez Degraus: climb ten phases; rules, plugin, hints and computer players."""
