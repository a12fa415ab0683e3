"""The small types that messages are made of: every text, list and number has a bound."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from . import limits

TableId = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,24}\Z")]
GameName = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}\Z")]
Code = Annotated[str, Meta(pattern=r"^[a-z0-9_.]{1,48}\Z")]
House = Annotated[list[Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}\Z")]], Meta(max_length=limits.HOUSE)]
"""Names of house rules, in the order in which they are put around the game."""
Level = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,24}\Z")]
Lang = Annotated[str, Meta(pattern=r"^[A-Za-z_-]{2,12}\Z")]
App = Annotated[str, Meta(max_length=limits.APP)]
Name = Annotated[str, Meta(min_length=1, max_length=limits.NAME)]
CommandId = Annotated[bytes, Meta(min_length=limits.ID, max_length=limits.ID)]
Epoch = Annotated[bytes, Meta(min_length=limits.EPOCH, max_length=limits.EPOCH)]
Chain = Annotated[bytes, Meta(min_length=limits.CHAIN, max_length=limits.CHAIN)]
Link = Annotated[bytes, Meta(min_length=limits.LINK, max_length=limits.LINK)]
Token = Annotated[bytes, Meta(min_length=limits.TOKEN, max_length=limits.TOKEN)]
Nonce = Annotated[bytes, Meta(min_length=limits.NONCE, max_length=limits.NONCE)]
Hash = Annotated[bytes, Meta(min_length=limits.HASH, max_length=limits.HASH)]
SeatNumber = Annotated[int, Meta(ge=0, lt=limits.SEATS)]
Version = Annotated[int, Meta(ge=0, le=limits.HOST_INT)]
Known = Annotated[int, Meta(ge=0, lt=limits.HOST_INT)]
"""A version that has a next one."""
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Proto = tuple[Annotated[int, Meta(ge=1, le=65_535)], Annotated[int, Meta(ge=1, le=65_535)]]

Field = Annotated[str, Meta(min_length=1, max_length=limits.KEY)]
Scalar = Annotated[str, Meta(max_length=limits.VALUE)] | Annotated[int, Meta(ge=-limits.INT, le=limits.INT)] | bool | None
Group = Annotated[list[Scalar], Meta(max_length=limits.ITEMS)]
Value = Scalar | Annotated[list[Scalar | Group], Meta(max_length=limits.ITEMS)]
Action = Annotated[dict[Field, Value], Meta(min_length=1, max_length=limits.FIELDS)]
"""A filled-in form: `type`, then field values: text, number, yes/no, a list of these, or a list of such lists."""
Options = Annotated[dict[Field, Scalar | Group], Meta(max_length=limits.OPTIONS)]

Sentence = Annotated[str, Meta(max_length=500)]
Data = dict[str, Any]
"""A map of plain data: None, yes/no, whole numbers, text, lists and maps with text keys."""
Chips = Annotated[int, Meta(ge=-limits.HOST_INT, le=limits.HOST_INT)]
"""Chips, points, or hundredths of a rating; may be below zero."""
