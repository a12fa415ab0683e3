"""Compile the searches with numba when the optional extra `fast` is installed; the plain functions do the same work.

The functions are plain Python at import time. `compiled` makes copies of them that call each other's compiled forms, so
that both can be used side by side in one program.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from types import FunctionType
from typing import Any

from . import groups, moves, nullsearch, search
from .arrays import Ints

_PARTS: dict[str, tuple[tuple[Any, tuple[str, ...]], ...]] = {
    "search": (
        (groups, ("fill_group", "lowest", "sure_points")),
        (moves, ("put_leads", "put_follows", "drop_neighbours")),
        (search, ("last_trick", "search")),
    ),
    "search_null": ((nullsearch, ("fill_null_group", "put_null_leads", "put_null_follows", "search_null")),),
}
"""Each search with all it calls, by module; whoever is called stands first."""


def available() -> bool:
    """Tell whether the compiled searches can be used."""
    return all(importlib.util.find_spec(name) is not None for name in ("numba", "numpy"))


@cache
def compiled(name: str) -> Callable[..., bool]:
    """Give the compiled form of `search` or `search_null`; the machine code is kept in the cache folder of the package or the user.

    Raises:
        ImportError: numba or numpy is missing.
    """
    numba = importlib.import_module("numba")
    mark = source_mark(name)
    known = _names(name)
    for function in _functions(name):
        copy = FunctionType(function.__code__, known, function.__name__, function.__defaults__)
        copy.__qualname__ = f"{function.__name__}-{mark}"
        copy.__module__ = function.__module__
        try:
            known[function.__name__] = numba.njit(cache=True)(copy)
        except RuntimeError:  # there is no folder to keep it in: it is made anew each time
            known[function.__name__] = numba.njit(copy)
    found: Callable[..., bool] = known[name]
    return found


def plain(name: str) -> Callable[..., bool]:
    """Give the plain form of `search` or `search_null`."""
    found: Callable[..., bool] = getattr(_PARTS[name][-1][0], name)
    return found


def source_mark(name: str) -> str:
    """Give a mark of the source of a search that is another one when anything it is made of is.

    numba takes a function's machine code for old only when the file of that function has changed, and what it calls is
    part of the machine code too.
    """
    numbers = sorted((key, value) for key, value in _names(name).items() if isinstance(value, int))
    codes = [function.__code__ for function in _functions(name)]
    written = [(code.co_code, code.co_names, code.co_consts) for code in codes]
    return sha256(repr((numbers, written)).encode()).hexdigest()[:12]


def _functions(name: str) -> Iterator[FunctionType]:
    for module, names in _PARTS[name]:
        for each in names:
            yield getattr(module, each)


def _names(name: str) -> dict[str, Any]:
    """Give all that the functions of a search know by name."""
    return {key: value for module, _ in _PARTS[name] for key, value in vars(module).items()}


def compiled_array(data: Sequence[int]) -> Ints:
    """Make a flat array of 64-bit numbers for the compiled searches.

    Raises:
        ImportError: numpy is missing.
    """
    numpy = importlib.import_module("numpy")
    array: Ints = numpy.array(data, dtype=numpy.int64)
    return array


def compiled_zeros(size: int) -> Ints:
    """Make a flat array of zeros for the compiled searches.

    Raises:
        ImportError: numpy is missing.
    """
    numpy = importlib.import_module("numpy")
    array: Ints = numpy.zeros(size, dtype=numpy.int64)
    return array


def plain_zeros(size: int) -> Ints:
    """Make a list of zeros for the plain searches."""
    return [0] * size
