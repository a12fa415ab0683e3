"""Every code with which a host refuses by itself, with its English sentence; rules refuse with the game's own codes.

A code is also a message key, so that a client can say it in its reader's language; the sentence is for clients without one.
"""

from __future__ import annotations

from typing import Final

REFUSALS: Final[dict[str, str]] = {
    # the session
    "proto": "This host and this program speak different versions of the protocol.",
    "hello_first": "Say hello first.",
    "malformed": "The message does not have the fields of its kind.",
    "unknown": "There is no such kind of message.",
    "name": "This cannot be a name: 1 to 24 letters, digits and signs.",
    "full_house": "The host has no room for more people.",
    "slow": "This connection does not keep up.",
    "too_fast": "Too much at once; try again in a moment.",
    "code_needed": "The tables of this host are for those who know its join code.",
    "code": "This join code is not the host's.",
    "no_code": "This host has no join code.",
    # tables
    "no_table": "There is no such table.",
    "no_game": "The host does not have this game.",
    "no_house_rule": "The host does not have one of these house rules.",
    "too_many_tables": "The host has no room for another table.",
    "chips_short": "Your purse cannot pay the most that this table can cost.",
    "too_many_own": "You have opened as many tables here as one player may; close one first.",
    "draining": "The host is about to close; nothing new begins.",
    "not_allowed": "The table's rule does not let you do this.",
    "full": "Every chair is taken.",
    "taken": "This chair is taken.",
    "no_chair": "There is no such chair.",
    "seated": "You sit at this table already.",
    "not_in_match": "You do not sit at this table.",
    "started": "The match has begun; you can watch.",
    "not_started": "The match has not begun.",
    "running": "The match is still going on.",
    "token": "This token does not open this seat.",
    "unknown_level": "There is no computer player of this level.",
    "too_many_watchers": "The table has no room for more watchers.",
    # play
    "stale_epoch": "The host has started again; look at the table and answer anew.",
    "stale_match": "That match is over.",
    "paused": "The table is paused.",
    "late_link": "The hand is dealt already, or is not the next one.",
    "wrong_link": "This link does not belong to the seat's anchor.",
    "copied": "Somebody else has this anchor.",
    "broken": "The game at this table has a fault; the table is stopped.",
    "fault": "The game failed on this; nothing has changed.",
}

FAREWELLS: Final[dict[str, str]] = {
    "shutdown": "The host is closing.",
    "superseded": "The same player has connected from somewhere else.",
    "moved": "The seat was taken over with its token.",
    "closed": "The table was closed.",
    "kicked": "The host has ended this connection. The seat is kept; joining again is allowed.",
    "banned": "The host does not let this player in for a while.",
}
"""Every code of `gone`."""


def sentence(code: str) -> str:
    """Return the English sentence of a host's own code, '' for a game's."""
    return REFUSALS.get(code) or FAREWELLS.get(code, "")
