"""The card table: pure, synchronous, deterministic. No socket, no clock, no terminal, no file."""
