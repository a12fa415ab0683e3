"""Name what lies where in the flat arrays of the searches, which numba compiles and plain Python runs.

Arrays are lists in plain Python and numpy int64 in the compiled form. Players: 0 declarer, 1 the next, 2 the previous.
A row `p` of the stack is one card to be played, `p % 3` its place in the trick.
"""

from __future__ import annotations

from collections.abc import MutableSequence

Ints = MutableSequence[int]

ROWS = 31
WIDTH = 10

# Registers of a search.
ROW, RETURNING, RESULT, NODES, STOP, FIRST, TABLE_MASK = range(7)
REGISTERS = 7

# What is fixed for a deal: trump mask, cards with an equal neighbour above, index shifts and bases of the five groups.
TRUMP, BELOW, TOP_SHIFT, SHIFT_1, SHIFT_2, SHIFT_3, BASE_1, BASE_2, BASE_3, BASE_4, MASK_4, GROUPS = range(12)
GROUP_MASK = 12
OWNER = 17
DEAL = 20

MIXER = 0x9E3779B
"""What a key of the table of results is multiplied by to find its place."""
