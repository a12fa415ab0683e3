"""The games that carteado ships: one folder each, found through the entry point group `carteado.games`."""
