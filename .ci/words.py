"""Export every `locale/<lang>.po` to the `locale/<lang>.json` beside it, which is what the program reads.

    python .ci/words.py            write the JSON files that are out of date
    python .ci/words.py --check    write nothing; name the files that are out of date and exit with 1

A message with a plural becomes a list of its forms, any other a string; the key "" holds the language and the plural rule.
Untranslated and fuzzy messages are left out: the program then falls back to English.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("core", "net", "plugins", "ui")


def catalogue(source: Path) -> dict[str, str | list[str] | dict[str, str]]:
    """Return the texts of one `.po` file by key, in the order of their keys."""
    with source.open("rb") as lines:
        messages = read_po(lines, abort_invalid=True)
    texts: dict[str, str | list[str] | dict[str, str]] = {}
    texts[""] = {"lang": source.stem, "plural": messages.plural_expr.strip("()")}
    for message in messages:
        if not message.id or message.fuzzy:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        if isinstance(message.string, str):
            if message.string:
                texts[key] = message.string
        elif message.string and all(message.string):
            texts[key] = list(message.string)
    return dict(sorted(texts.items()))


def exported(source: Path) -> str:
    """Return the text of the JSON file that belongs to one `.po` file."""
    return json.dumps(catalogue(source), ensure_ascii=False, indent=1) + "\n"


def main() -> int:
    """Export or check all catalogues; return the exit status."""
    parser = argparse.ArgumentParser(description="Export the translated words to JSON.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file is out of date")
    check = parser.parse_args().check
    late = []
    for source in sorted(path for area in AREAS for path in (ROOT / area).rglob("locale/*.po")):
        target, text = source.with_suffix(".json"), exported(source)
        if target.exists() and target.read_text(encoding="utf-8") == text:
            continue
        late.append(target)
        if not check:
            target.write_text(text, encoding="utf-8")
    for target in late:
        print(f"{target.relative_to(ROOT)} {'is out of date: run `make words`' if check else 'written'}")
    return 1 if check and late else 0


if __name__ == "__main__":
    sys.exit(main())
