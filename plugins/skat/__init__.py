"""Skat: rules, records, an open-hand solver and the game plugin."""
