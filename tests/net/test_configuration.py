"""Settings from a file, the environment and the command line: which goes before which, and every mistake in one sentence with its place."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from carteado.net.commands import _host
from carteado.net.configurable import arguments_of
from carteado.net.configuration import BadConfiguration, Configuration, check_tables, configuration, line_of, strangers

FILE = """\
port = 7001
log-level = "info"

[[table]]
game = "skat"
players = 3
bots = 2

[[table]]
id = "evening"
option = { stake = 5, substitute = false }
"""


def given(*words: str) -> argparse.Namespace:
    """Parse the words of `carteado host`."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    _host(parser)
    return parser.parse_args(words)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "host.toml"
    path.write_text(FILE)
    return path


def found(file: Path, *words: str, **environ: str) -> Configuration:
    return configuration(given("--config", str(file), *words), environ)


def faults(tmp_path: Path, text: str, **environ: str) -> list[str]:
    """Return what is wrong with a file, without the folder it is in."""
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(BadConfiguration) as caught:
        configuration(given("--config", str(path)), environ)
    return [fault.replace(f"{tmp_path}/", "") for fault in caught.value.faults]


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(file: Path) -> None:
    ports = [
        configuration(given(), {}).given.port,
        found(file).given.port,
        found(file, CARTEADO_PORT="7002").given.port,
        found(file, "--port", "7003", CARTEADO_PORT="7002").given.port,
    ]
    assert [None, 7001, 7002, 7003] == ports


def test_what_is_given_goes_before_the_file_also_when_it_is_the_default(file: Path) -> None:
    assert "warning" == found(file, "--log-level", "warning").given.log_level


def test_it_is_told_where_each_setting_comes_from(file: Path) -> None:
    sources = found(file, "--pace", "2", CARTEADO_LOG="json").sources
    assert {"port": str(file), "pace": "flag", "log": "CARTEADO_LOG", "memory": "default"} == {
        name: sources[name] for name in ("port", "pace", "log", "memory")
    }


def test_the_file_can_be_named_by_the_environment(file: Path) -> None:
    assert 7001 == configuration(given(), {"CARTEADO_CONFIG": str(file)}).given.port


def test_tables_of_the_file_have_settings_of_their_own(file: Path) -> None:
    first, second = found(file).specs()
    assert ("t-1", "skat", 3, 2) == (first.id, first.game, first.players, first.bots)
    assert ("evening", "dez-degraus", [("stake", "5"), ("substitute", "no")]) == (second.id, second.game, second.option)


def test_a_table_of_the_command_line_takes_the_place_of_those_in_the_file(file: Path) -> None:
    assert ["cascata"] == [spec.game for spec in found(file, "cascata").specs()]


def test_a_host_can_begin_without_a_table(file: Path) -> None:
    assert [] == found(file, "--no-table").specs()


def test_every_mistake_is_told_with_its_line() -> None:
    assert (1, 2, 4, 9, 10) == (
        line_of(FILE, "port"), line_of(FILE, "log-level"), line_of(FILE, "table"), line_of(FILE, "players", 1), line_of(FILE, "id", 1)
    )  # fmt: skip


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    text = 'prot = 1\nport = 70000\nmetrics = true\nheadless = "yes"\n[[table]]\ngame = "skta"\nplyers = 3\nid = "A B"\n'
    told = faults(tmp_path, text)
    assert [
        "bad.toml:1: prot: there is no such setting; did you mean port?",
        "bad.toml:2: port: '70000' is no port (0 to 65535)",
        "bad.toml:3: metrics: write a text or a number, not true or false",
        "bad.toml:4: headless: say true or false",
        "bad.toml:6: game: there is no game 'skta'; installed: cascata, dez-degraus, skat",
        "bad.toml:7: plyers: a table has no such setting; it has id, game, players, bots, level, option, house, clock, grace, away",
        "bad.toml:8: id: 1 to 24 of a-z, 0-9 and '-'",
    ] == told


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = = 1", "bad.toml: Invalid value (at line 1, column 5)"),
        ("table = 3", "bad.toml:1: table: write [[table]] above the settings of each table"),
        ("house = 3", "bad.toml:1: house: write a list, as ['one', 'two']"),
        ('log = "xml"', "bad.toml:1: log: 'xml' is none of text, json"),
        ('[[table]]\nid = "p-me"', "bad.toml:2: id: p- begins the ids of private tables, drawn: `admin open GAME private` opens one"),
        ("grace = 86401", "bad.toml:1: grace: '86401' is no grace (0 to 86400 seconds)"),
        ("chips = 1000000001", "bad.toml:1: chips: '1000000001' is more than 1000000000"),
        ("memory = 99999999999999999999", "bad.toml:1: memory: '99999999999999999999' is more than 1000000000"),
        ("check-config = true", "bad.toml:1: check-config: there is no such setting; did you mean no_admin?"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, text: str, fault: str) -> None:
    (told,) = faults(tmp_path, text)
    assert fault.partition("; did")[0] == told.partition("; did")[0]


def test_the_id_of_a_private_table_can_be_written_as_it_was_drawn(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('[[table]]\nid = "p-7kq4m-2xp9d-4tv8h"')
    assert ["p-7kq4m-2xp9d-4tv8h"] == [spec.id for spec in found(path).specs()]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="No such file"):
        configuration(given("--config", str(tmp_path / "none.toml")), {})


def test_a_variable_with_a_wrong_value_is_named() -> None:
    with pytest.raises(BadConfiguration) as caught:
        configuration(given(), {"CARTEADO_PORT": "x", "CARTEADO_HEADLESS": "maybe"})
    assert ["CARTEADO_PORT: 'x' is no port (0 to 65535)", "CARTEADO_HEADLESS: say true or false"] == caught.value.faults


def test_variables_that_set_nothing_are_noticed() -> None:
    environ = {"CARTEADO_PROT": "1", "CARTEADO_PORT": "1", "CARTEADO_HOME": "/x", "HOME": "/"}
    assert ["CARTEADO_PROT"] == strangers(given().settings, environ)


def test_a_host_of_one_player_s_program_reads_neither_file_nor_environment(file: Path) -> None:
    assert configuration(given("--fill"), {"CARTEADO_PORT": "7002", "CARTEADO_CONFIG": str(file)}).given.port is None


def test_tables_that_cannot_be_opened_are_told(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(
        '[[table]]\ngame = "skat"\nplayers = 9\n[[table]]\noption = { colour = 1 }\n[[table]]\nid = "t-1"\nlevel = "genius"\n'
        '[[table]]\nplayers = 2\nbots = 3\n'
    )
    assert [
        "table t-1: 9 cannot play this: it takes 3 to 4.",
        "table t-2: There is no table option colour.",
        "table t-1: Dez Degraus has no computer player 'genius'; there are random, naive, rule, rollout, tree.",
        "table t-4: 3 computer players have no room on 2 chairs",
        "table t-1: there is another one of this id",
    ] == check_tables(found(path))


def test_what_is_written_out_can_be_read_again_and_tells_no_secret(file: Path, tmp_path: Path) -> None:
    words = given("--config", str(file), "--seed", "quite secret")
    whole = configuration(words, {})
    text = whole.text(words.settings)
    assert "quite secret" not in text
    again = tmp_path / "again.toml"
    again.write_text(text)
    same = found(again)
    assert (whole.given.port, whole.given.log_level, whole.tables) == (same.given.port, same.given.log_level, same.tables)


def test_what_was_given_can_be_given_on() -> None:
    words = ["skat", "--players", "3", "--house", "a", "--option", "stake=5", "--headless"]
    parser = argparse.ArgumentParser()
    _host(parser)
    for action in parser._actions:
        if action.dest in ("house", "game"):
            action.type = None
    parsed = parser.parse_args(words)
    again = parser.parse_args(arguments_of(parsed))
    assert {**vars(parsed), "settings": 0} == {**vars(again), "settings": 0}
