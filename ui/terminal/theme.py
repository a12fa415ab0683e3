"""Styles: class names to colours, for dark and for light terminals, and without any colour."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

# Contrast of at least 4.5 on the background of the theme and on its own grounds; a test measures it.
_COLOURS = {
    "dark": {
        "red": "#ff5f5f",
        "yellow": "#ffd75f",
        "green": "#5fff87",
        "blue": "#5fafff",
        "black": "#e4e4e4",
        "gray": "#d0d0d0",
    },
    "light": {
        "red": "#af0000",
        "yellow": "#875f00",
        "green": "#005f00",
        "blue": "#005faf",
        "black": "#000000",
        "gray": "#444444",
    },
}
_PARTS = {
    "dark": {
        "dim": "#a8a8a8",
        "rule": "#9e9e9e",
        "accent": "#ffd75f",
        "warn": "#ff8787",
        "live": "#5fff87",
        "on": "#2a2a2a",
        "box": "#1c1c1c",
    },
    "light": {
        "dim": "#585858",
        "rule": "#606060",
        "accent": "#5f0087",
        "warn": "#af0000",
        "live": "#005f00",
        "on": "#e4e4e4",
        "box": "#f2f2f2",
    },
}


def style(theme: str) -> Style:
    """Return the style sheet of a theme, `dark` or `light`."""
    part = _PARTS[theme]
    rules = dict(_COLOURS[theme])
    rules |= {
        "title": f"bold bg:{part['on']}",
        "dim": part["dim"],
        "rule": part["rule"],
        "heading": f"bold {part['accent']}",
        "label": part["dim"],
        "key": f"bold {part['accent']}",
        "keys": part["dim"],
        "edge": part["dim"],
        "back": part["rule"],
        "gap": part["rule"],
        "card": "",
        "legal": "bold",
        "marked": f"bold bg:{part['on']}",
        "fresh": "",
        "gone": part["rule"],
        "focus": f"bold {part['accent']}",
        "mark": f"bold {part['accent']}",
        "turn": f"bold {part['accent']}",
        "seat": "",
        "out": part["dim"],
        "badge": part["dim"],
        "count": "",
        "points": "",
        "warn": f"bold {part['warn']}",
        "live": part["live"],
        "group": part["dim"],
        "prompt": "",
        "mine": "bold",
        "notice": f"bold {part['accent']}",
        "bad": f"bold {part['warn']}",
        "button": "",
        "ready": "bold",
        "blocked": part["rule"],
        "box": f"bg:{part['box']}",
        "chosen": f"bold bg:{part['on']}",
        "entry": f"bg:{part['on']}",
        "strong": "bold",
        "name": "bold",
        "edge legal": f"bold {part['accent']}",
        "edge marked": f"bold {part['accent']}",
        "edge fresh": part["live"],
        "edge gone": part["rule"],
        "edge focus": f"bold {part['accent']}",
        "group legal": f"bold {part['accent']}",
        "group focus": f"bold {part['accent']}",
        "seat turn": f"bold {part['accent']}",
        "title dim": part["dim"],
        "title live": part["live"],
        "title warn": f"bold {part['warn']}",
        "box edge": part["dim"],
        "box title": f"bold {part['accent']}",
        "scan": "#000 bg:#fff",  # a code to be scanned: black on white on every ground, and nothing else is ever written on it
    }
    return Style([(name, rule) for name, rule in rules.items()])


MONOCHROME = Style(
    [
        ("title", "reverse"),
        ("scan", "reverse"),
        ("heading", "bold"),
        ("key", "bold"),
        ("focus", "bold"),
        ("mark", "bold"),
        ("turn", "bold"),
        ("legal", "bold"),
        ("marked", "bold"),
        ("gone", "underline"),
        ("warn", "bold"),
        ("mine", "bold"),
        ("notice", "bold"),
        ("bad", "bold"),
        ("ready", "bold"),
        ("chosen", "reverse"),
        ("entry", "underline"),
        ("strong", "bold"),
        ("name", "bold"),
    ]
)
"""For terminals without colour: shapes carry all that matters, weight helps."""


@cache
def classes(names: str) -> str:
    """Return a cell's style as prompt_toolkit wants it: `card red` -> `class:card class:red`."""
    return " ".join(f"class:{name}" for name in names.split())


def chosen_theme(wanted: str | None, environ: Mapping[str, str] | None = None) -> str:
    """Return the theme to use: the wanted one, else by COLORFGBG (its last part is the background), else dark."""
    if wanted in _COLOURS:
        return wanted
    background = (os.environ if environ is None else environ).get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"


def colour_depth(environ: Mapping[str, str] | None = None) -> ColorDepth:
    """Return how many colours the terminal shows: none with NO_COLOR, all with COLORTERM, else 256."""
    surroundings = os.environ if environ is None else environ
    if surroundings.get("NO_COLOR") or surroundings.get("TERM") == "dumb":
        return ColorDepth.DEPTH_1_BIT
    if surroundings.get("COLORTERM", "") in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    return ColorDepth.DEPTH_8_BIT
