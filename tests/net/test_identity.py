"""Keys of the programs that run on one machine at once, the address of the local host, and the reader's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from carteado.net import preferences
from carteado.net.finding import here, own_host
from carteado.net.identity import claimed, login_name
from carteado.net.keys import Address, KeyPair
from carteado.net.language import language
from carteado.net.names import clean_name

KEY = KeyPair.from_secret(bytes(range(32))).public


def test_a_program_that_comes_back_has_the_same_key(tmp_path: Path) -> None:
    with claimed("me", tmp_path) as first:
        pass
    with claimed("me", tmp_path) as again:
        assert first.public == again.public


def test_two_programs_at_once_are_two_players(tmp_path: Path) -> None:
    with claimed("me", tmp_path) as first, claimed("me", tmp_path) as second:
        assert first.public != second.public


def test_the_key_that_is_free_again_is_taken_first(tmp_path: Path) -> None:
    with claimed("me", tmp_path) as second_to_leave:
        pass
    with claimed("me", tmp_path) as first, claimed("me", tmp_path):
        assert second_to_leave.public == first.public


def test_kinds_do_not_share_keys(tmp_path: Path) -> None:
    with claimed("me", tmp_path) as person:
        pass
    with claimed("bot", tmp_path) as bot:
        assert person.public != bot.public


@pytest.mark.parametrize(("login", "name"), [("ana", "Ana"), ("", "Player"), ("\x07", "Player"), ("host", "Player")])
def test_a_login_becomes_a_name_that_a_table_takes(login: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: login)
    assert name == login_name()
    assert name == clean_name(name)


def test_a_user_without_a_login_still_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert login_name() == "Player"


def test_the_host_on_this_machine_is_known_by_the_address_that_it_wrote(tmp_path: Path) -> None:
    said = Address("10.0.0.7", 7000, KEY)
    here(tmp_path).write_text(f"{said}\n")
    assert said == own_host(tmp_path)


@pytest.mark.parametrize("text", [None, "", "not an address", "\udcff"])
def test_without_a_host_on_this_machine_there_is_none(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        here(tmp_path).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert own_host(tmp_path) is None


@pytest.mark.parametrize(
    ("wanted", "environ", "expected"),
    [
        (None, {}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "pt_PT.UTF-8"}, "pt_PT"),
        (None, {"LANG": "de_DE.UTF-8", "LC_MESSAGES": "pt_BR.UTF-8"}, "pt_BR"),
        (None, {"LANG": "pt_PT.UTF-8", "LC_ALL": "C"}, "en"),
        (None, {"LANG": "sr_RS@latin"}, "sr_RS"),
        ("pt-BR", {"LANG": "de_DE"}, "pt_BR"),
        ("pt", {}, "pt_PT"),
        (None, {"LANG": "pt_AO.UTF-8"}, "pt_PT"),
        (None, {"LANG": "de_AT.UTF-8"}, "de"),
        (None, {"LANG": "en_GB"}, "en"),
        ("de", {}, "de"),
        (None, {"LANG": "../../etc"}, "en"),
    ],
)
def test_the_language_is_what_was_asked_for_else_the_surroundings(wanted: str | None, environ: dict[str, str], expected: str) -> None:
    assert expected == language(wanted, environ)


def test_the_saved_language_goes_before_the_surroundings_and_behind_what_was_asked_for() -> None:
    assert "de" == language(None, {"LANG": "pt_PT"}, "de")
    assert "pt_BR" == language("pt_BR", {"LANG": "en_US"}, "de")


def test_choices_are_kept_and_what_is_none_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    assert {} == preferences.read()
    preferences.keep(name="Rita", lang="de", players=3)
    preferences.keep(lang="pt_PT", players=None)
    assert {"name": "Rita", "lang": "pt_PT"} == preferences.read()
    assert "pt_PT" == language(None)
    with pytest.raises(TypeError):
        preferences.keep(colour="red")
    with pytest.raises(TypeError):
        preferences.keep(players="3")
    preferences.file().write_text('{"name": 7, "lang": "de", "colour": "red"}', encoding="utf-8")
    assert {"lang": "de"} == preferences.read()
    preferences.file().write_text("[", encoding="utf-8")
    assert {} == preferences.read()
