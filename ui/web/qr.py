"""The code that a phone scans, drawn in the terminal.

Drawn by half blocks in explicit colours, black on white, with the quiet zone of four modules: neither a terminal's theme nor the gap
between its lines can spoil it.
"""

from __future__ import annotations

from collections.abc import Sequence

QUIET = 4
"""Modules of white around the code; scanners need them."""
_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_ON = "\x1b[38;5;16;48;5;231m"
_OFF = "\x1b[0m"


def matrix(text: str) -> list[list[bool]]:
    """Return the code's modules, dark ones True, with the quiet zone around them."""
    import segno

    code = segno.make(text, error="m", micro=False, boost_error=False)
    return [[bool(dark) for dark in row] for row in code.matrix_iter(border=QUIET)]


def lines(text: str) -> list[str]:
    """Return the code as lines of half blocks, two rows of modules each, without colours: to be drawn black on white."""
    rows = matrix(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return ["".join(_BLOCKS[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def drawn(text: str, beside: Sequence[str] = ()) -> str:
    """Return the code in explicit colours for a terminal, with some lines of text beside it."""
    code = lines(text)
    first = max(0, (len(code) - len(beside)) // 2)
    told = {first + number: line for number, line in enumerate(beside)}
    return "\n".join(f"{_ON}{line}{_OFF}" + (f"   {told[number]}" if number in told else "") for number, line in enumerate(code))


def capitals(url: str) -> str:
    """Return a URL in capitals, which makes a much smaller code; the gateway reads it in any case."""
    return url.upper()


def picture(text: str) -> bytes:
    """Return the code as an SVG, for a television."""
    rows = matrix(capitals(text))
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, module in enumerate(row) if module)
    size = len(rows)
    shapes = f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">{shapes}</svg>'.encode()
