"""All that a game author imports.

A game is an object derived from `Game` whose hooks are marked with `@hookimpl`; see docs/game-author.md.
"""

from __future__ import annotations

from .cards import FRENCH_32, FRENCH_52, FRENCH_54, FRENCH_RANKS, FRENCH_SUITS, JOKER, Deck, Face, french
from .errors import CarteadoError, DesignFault, IllegalAction, PluginFault, Refused
from .forms import Choice, Field, Form, Groups, Number, Pick, Place, Target
from .game import API, Game
from .hookspecs import GameSpec, hookimpl
from .options import Flag, OneOf, Several, Whole
from .recorded import Recorded
from .result import Result
from .shuffle import Stream
from .table import Prompt, Table
from .words import C, L, P, Speech
from .zones import CLOSED, OPEN, OWNER, SECRET, TEAM, Seat, See, Zone, ZoneName

__all__ = [
    "API", "CLOSED", "FRENCH_32", "FRENCH_52", "FRENCH_54", "FRENCH_RANKS", "FRENCH_SUITS", "JOKER", "OPEN", "OWNER", "SECRET", "TEAM",
    "C", "CarteadoError", "Choice", "Deck", "DesignFault", "Face", "Field", "Flag", "Form", "Game", "GameSpec", "Groups", "IllegalAction",
    "L", "Number", "OneOf", "P", "Pick", "Place", "PluginFault", "Prompt", "Recorded", "Refused", "Result", "Seat", "See", "Several",
    "Speech", "Stream", "Table", "Target", "Whole", "Zone", "ZoneName", "french", "hookimpl",
]  # fmt: skip
