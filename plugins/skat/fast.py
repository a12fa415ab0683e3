"""Compile the searches with numba when the optional extra `fast` is installed; the plain functions do the same work.

The functions are plain Python at import time. `compiled` makes copies of them that call each other's compiled forms, so
that both can be used side by side in one program.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from . import nullsearch, search

_PARTS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (
        search,
        ("fill_group", "lowest", "sure_points", "put_leads", "put_follows", "drop_neighbours", "last_trick", "search"),
    ),
    (nullsearch, ("fill_null_group", "put_null_leads", "put_null_follows", "search_null")),
)


def available() -> bool:
    """Tell whether the compiled searches can be used."""
    return all(importlib.util.find_spec(name) is not None for name in ("numba", "numpy"))


@cache
def compiled(name: str) -> Callable[..., bool]:
    """Give the compiled form of `search` or `search_null`; the machine code is kept in the cache folder of the package.

    Raises:
        ImportError: numba or numpy is missing.
    """
    numba = importlib.import_module("numba")
    for module, names in _PARTS:
        if name not in names:
            continue
        known: dict[str, Any] = dict(vars(module))
        for each in names:
            plain = known[each]
            copy = FunctionType(plain.__code__, known, plain.__name__, plain.__defaults__)
            copy.__qualname__ = plain.__qualname__
            copy.__module__ = plain.__module__
            known[each] = numba.njit(cache=True)(copy)
        found: Callable[..., bool] = known[name]
        return found
    raise KeyError(name)


def plain(name: str) -> Callable[..., bool]:
    """Give the plain form of `search` or `search_null`."""
    for module, names in _PARTS:
        if name in names:
            found: Callable[..., bool] = getattr(module, name)
            return found
    raise KeyError(name)


def compiled_array(data: Sequence[int]) -> search.Ints:
    """Make a flat array of 64-bit numbers for the compiled searches.

    Raises:
        ImportError: numpy is missing.
    """
    numpy = importlib.import_module("numpy")
    array: search.Ints = numpy.array(data, dtype=numpy.int64)
    return array


def compiled_zeros(size: int) -> search.Ints:
    """Make a flat array of zeros for the compiled searches.

    Raises:
        ImportError: numpy is missing.
    """
    numpy = importlib.import_module("numpy")
    array: search.Ints = numpy.zeros(size, dtype=numpy.int64)
    return array


def plain_zeros(size: int) -> search.Ints:
    """Make a list of zeros for the plain searches."""
    return [0] * size
