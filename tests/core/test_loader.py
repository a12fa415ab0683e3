"""Finding games: every failure is one sentence about one plugin, and the others are served."""

from __future__ import annotations

import sys
import types
from importlib.metadata import EntryPoint
from itertools import count
from typing import Any, ClassVar

import pytest
from tablegames import Discards, Passing, scripted

import carteado.core.loader as loader
from carteado.core.api import Deck, Flag, Game, hookimpl
from carteado.core.errors import LoadFailure
from carteado.core.loader import OLDER, Listed, accept, check_all, house_rules, installed, load, load_house, load_older

COUNTER = count()


class Dist:
    """Stands for an installed distribution."""

    def __init__(self, name: str, version: str = "1.0") -> None:
        self.name = name
        self.version = version


class Installed:
    """A pretended set of installed plugins, and the modules they point at."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.points: list[tuple[str, EntryPoint]] = []

    def add(self, name: str, target: Any, group: str = "carteado.games", dist: str | None = "some-games", attr: str = "game") -> None:
        """Install a plugin; `target` is the object itself, or source text that is run when its module is imported."""
        module = f"pretended_{next(COUNTER)}"
        if isinstance(target, str):
            finder = _Finder(module, target)
            self.patch.setattr(sys, "meta_path", [finder, *sys.meta_path])
        else:
            made = types.ModuleType(module)
            made.game = target  # type: ignore[attr-defined]
            self.patch.setitem(sys.modules, module, made)
        point = EntryPoint(name, f"{module}:{attr}", group)
        object.__setattr__(point, "dist", Dist(dist) if dist else None)
        self.points.append((group, point))

    def entry_points(self, group: str, name: str | None = None) -> list[EntryPoint]:
        return [point for own, point in self.points if own == group and name in (None, point.name)]


class _Finder:
    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self) if name == self.name else None  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, self.name, "exec"), module.__dict__)  # noqa: S102


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Installed:
    pretended = Installed(monkeypatch)
    monkeypatch.setattr(loader, "entry_points", pretended.entry_points)
    return pretended


def failure(call: Any, *arguments: Any) -> str:
    with pytest.raises(LoadFailure) as caught:
        call(*arguments)
    return str(caught.value)


def test_installed_games_are_listed_by_name(plugins: Installed) -> None:
    plugins.add("passing", Passing())
    plugins.add("discards", Discards(), dist="other", attr="anything")
    targets = [point.value for _, point in plugins.points]
    assert [Listed("discards", targets[1], "other", "1.0"), Listed("passing", targets[0], "some-games", "1.0")] == installed()


def test_listing_games_imports_none(plugins: Installed) -> None:
    plugins.add("boom", "raise SystemExit(3)")
    assert ["boom"] == [listed.name for listed in installed()]


def test_an_entry_point_of_no_distribution_is_listed(plugins: Installed) -> None:
    plugins.add("discards", Discards(), dist=None)
    assert [("discards", "?", "?")] == [(listed.name, listed.distribution, listed.version) for listed in installed()]


def test_a_game_is_loaded_by_its_name(plugins: Installed) -> None:
    game = Discards()
    plugins.add("discards", game)
    assert game is load("discards")


def test_a_class_is_made_into_a_game(plugins: Installed) -> None:
    plugins.add("discards", Discards)
    assert isinstance(load("discards"), Discards)


def test_a_game_that_is_not_installed_is_answered_with_those_that_are(plugins: Installed) -> None:
    plugins.add("passing", Passing())
    assert "There is no game 'whist'; installed: passing." == failure(load, "whist")


def test_where_nothing_is_installed_that_is_said(plugins: Installed) -> None:
    assert "There is no game 'whist'; installed: none." == failure(load, "whist")


BROKEN = [
    ("raise ValueError('bad day')", "cannot be imported: ValueError: bad day"),
    ("import not_there_at_all", "cannot be imported: ModuleNotFoundError: No module named 'not_there_at_all'"),
    ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
    ("def f(:", "cannot be imported: SyntaxError"),
    ("other = 1", "cannot be imported: AttributeError"),
    ("class game:\n def __init__(self): raise KeyError('x')", "cannot be imported: KeyError: 'x'"),
    ("def f(): return f()\nf()", "cannot be imported: RecursionError"),
]


@pytest.mark.parametrize(("source", "said"), BROKEN)
def test_a_game_that_cannot_be_imported_is_a_sentence(plugins: Installed, source: str, said: str) -> None:
    plugins.add("broken", source)
    assert failure(load, "broken").startswith(f"The game 'broken' ({plugins.points[0][1].value}) {said}")


def broken_property(error: BaseException) -> property:
    def get(self: Any) -> Any:
        raise error

    return property(get)


NOT_FIT: list[tuple[Any, str]] = [
    (object(), "is not a game: it does not derive from"),
    (None, "is not a game"),
    (scripted(name="Bad Name"), "'Bad Name' cannot be a game's name"),
    (scripted(name=""), "'' cannot be a game's name"),
    (scripted(name="x" * 25), "cannot be a game's name"),
    (scripted(name="dez-degraus\n"), "cannot be a game's name"),
    (scripted(name=None), "cannot be used: TypeError"),
    (scripted(api=0), "was written for plugin interface 0; this program serves 1 to 1"),
    (scripted(api=99), "was written for plugin interface 99; this program serves 1 to 1"),
    (scripted(api="1"), "cannot be used: TypeError"),
    (scripted(needs=("teleport", "cards")), "needs teleport, cards, which this program does not offer"),
    (scripted(seats=(0, 4)), "seats 0 to 4 players; 1 to 10 are possible"),
    (scripted(seats=(4, 3)), "seats 4 to 3 players"),
    (scripted(seats=(2, 11)), "seats 2 to 11 players"),
    (scripted(seats=4), "cannot be used: TypeError"),
    (scripted(score="middle"), "scores 'middle'; say 'high' or 'low'"),
    (scripted(deck=None), "cannot be used: AttributeError"),
    (scripted(deck=Deck(["A1", ""])), "has a deck with something else than faces in it"),
    (scripted(deck=Deck([1])), "has a deck with something else than faces in it"),  # type: ignore[list-item]
    (scripted(table_options=("open",)), "cannot be used: AttributeError"),
    (scripted(score=broken_property(ZeroDivisionError("no"))), "cannot be used: ZeroDivisionError: no"),
    (scripted(extra=broken_property(ZeroDivisionError("no"))), ""),
]


@pytest.mark.parametrize(("game", "said"), [pytest.param(*case, id=f"{i}") for i, case in enumerate(NOT_FIT[:-1])])
def test_a_game_that_does_not_fit_is_a_sentence(game: Any, said: str) -> None:
    assert said in failure(accept, game)


class Misspelt(Discards):
    name = "misspelt"

    @hookimpl
    def scorring(self, table: Any) -> None: ...


class Defaults(Discards):
    name = "defaults"

    @hookimpl
    def turn(self, table: Any, seat: int, action: Any = None) -> None: ...


class KeywordOnly(Discards):
    name = "keyword-only"

    @hookimpl
    def turn(self, table: Any, *, seat: int, action: Any) -> None: ...


class UnknownArgument(Discards):
    name = "unknown-argument"

    @hookimpl
    def turn(self, table: Any, seat: int, move: Any) -> None: ...


class Unmarked(Game):
    name = "unmarked"

    def deal(self, table: Any) -> None: ...
    def options(self, table: Any, seat: int) -> None: ...
    @hookimpl
    def turn(self, table: Any, seat: int, action: Any) -> None: ...


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Misspelt(), "'misspelt' has a hook that does not fit: unknown hook 'scorring'"),
        (Defaults(), "'defaults' declares turn with default or keyword-only arguments, which would never be passed"),
        (KeywordOnly(), "'keyword-only' declares turn with default or keyword-only arguments, which would never be passed"),
        (UnknownArgument(), "'unknown-argument' has a hook that does not fit"),
        (Unmarked(), "has no deal and no options and no scoring hook (are they marked with @hookimpl?)"),
    ],
)
def test_a_hook_that_would_never_be_called_is_a_sentence(game: Any, said: str) -> None:
    assert said in failure(accept, game)


def test_a_hook_that_takes_fewer_arguments_fits() -> None:
    accept(scripted(scoring=lambda self: None))


def test_a_property_that_raises_but_nobody_needs_harms_nothing(plugins: Installed) -> None:
    game = scripted(name="odd", extra=broken_property(ZeroDivisionError("no")))
    plugins.add("odd", game)
    assert game is load("odd")


def test_a_property_that_ends_the_program_is_a_sentence_too(plugins: Installed) -> None:
    plugins.add("odd", "from tablegames import Discards\nclass game(Discards):\n @property\n def name(self): raise SystemExit(1)")
    assert "SystemExit" in failure(load, "odd")


def test_a_game_under_another_name_than_its_own_is_refused(plugins: Installed) -> None:
    plugins.add("whist", Discards())
    assert "The game installed as 'whist' calls itself 'discards'." == failure(load, "whist")


def test_two_games_of_one_name_are_refused_with_both_owners(plugins: Installed) -> None:
    plugins.add("discards", Discards(), dist="zebra")
    plugins.add("discards", Discards(), dist="alpha")
    assert "The game 'discards' is offered by alpha and zebra; remove one of them." == failure(load, "discards")


def test_one_entry_point_that_is_found_twice_is_one_game(plugins: Installed) -> None:
    game = Discards()
    plugins.add("discards", game)
    plugins.points *= 2
    assert game is load("discards")


def test_the_good_games_are_served_and_each_failure_is_a_sentence(plugins: Installed) -> None:
    plugins.add("boom", "raise SystemExit(3)")
    plugins.add("discards", Discards())
    plugins.add("defaults", Defaults())
    plugins.add("twice", scripted(name="twice"), dist="one")
    plugins.add("twice", scripted(name="twice"), dist="two")
    plugins.add("liar", scripted(name="honest"))
    plugins.add("property", "from tablegames import Discards\nclass game(Discards):\n @property\n def seats(self): return 1/0")
    plugins.add("passing", Passing)
    games, failures = check_all()
    assert (["discards", "passing"], ["boom", "defaults", "liar", "property", "twice"]) == (sorted(games), sorted(failures))


def test_failures_are_single_sentences(plugins: Installed) -> None:
    plugins.add("boom", "raise ValueError('one\\ntwo')")
    plugins.add("defaults", Defaults())
    said = check_all()[1]
    assert ({"boom", "defaults"}, []) == (said.keys(), [line for line in said.values() if "\n" in line or not line.startswith("The game ")])


def test_a_failed_game_leaves_the_next_load_unharmed(plugins: Installed) -> None:
    plugins.add("misspelt", Misspelt())
    plugins.add("discards", Discards())
    failure(load, "misspelt")
    assert "discards" == load("discards").name


def test_the_games_of_this_program_are_found_by_the_same_door() -> None:
    assert "dez-degraus" in {listed.name for listed in installed()}


# House rules


class Rule:
    name: ClassVar[str] = "quiet"


def test_house_rules_are_found_by_a_door_of_their_own(plugins: Installed) -> None:
    rule = Rule()
    plugins.add("quiet", rule, group="carteado.house")
    assert (["quiet"], [], rule) == ([listed.name for listed in house_rules()], installed(), load_house("quiet"))


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("raise SystemExit(3)", "The house rule 'quiet' cannot be imported: SystemExit: 3"),
        (object(), "The house rule 'quiet' cannot be imported: AttributeError"),
        (scripted(name="loud"), "The house rule installed as 'quiet' calls itself 'loud'."),
    ],
)
def test_a_house_rule_that_does_not_fit_is_a_sentence(plugins: Installed, target: Any, said: str) -> None:
    plugins.add("quiet", target, group="carteado.house")
    assert said in failure(load_house, "quiet")


def test_a_house_rule_that_is_not_installed_is_answered_with_those_that_are(plugins: Installed) -> None:
    plugins.add("quiet", Rule(), group="carteado.house")
    assert "There is no house rule 'loud'; installed: quiet." == failure(load_house, "loud")


def test_options_of_a_game_are_those_it_declares() -> None:
    accept(scripted(table_options=(Flag("open", True),)))


class Older(Discards):
    """The discards as they were."""

    version = "0.9"


def test_an_older_version_of_a_game_is_loaded_by_name_and_version_and_not_listed(plugins: Installed) -> None:
    plugins.add("discards", Discards())
    plugins.add("discards@0.9", Older(), group=OLDER)
    assert "0.9" == load_older("discards", "0.9").version
    assert ["discards"] == [listed.name for listed in installed()]
    assert Discards.version == load("discards").version


def test_a_version_that_is_not_there_is_a_sentence(plugins: Installed) -> None:
    plugins.add("discards", Discards())
    assert "Version 0.8 of the game 'discards' is not installed." == failure(load_older, "discards", "0.8")


def test_an_older_version_must_be_what_it_is_installed_as(plugins: Installed) -> None:
    plugins.add("discards@0.8", Older(), group=OLDER)
    assert "The game installed as 'discards@0.8' calls itself 'discards' 0.9." == failure(load_older, "discards", "0.8")


def test_two_packages_that_offer_one_older_version_are_refused(plugins: Installed) -> None:
    plugins.add("discards@0.9", Older(), group=OLDER)
    plugins.add("discards@0.9", Older(), group=OLDER, dist="other-games")
    assert "is offered by more than one package" in failure(load_older, "discards", "0.9")
