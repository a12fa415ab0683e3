"""The command as a whole: help, mistakes, failures, plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from carteado.cli import main


def processor_seconds(*arguments: str) -> float:
    """Return the least processor time of three runs of this Python."""
    times = []
    for _ in range(3):
        child = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert 0 == child.returncode
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


def test_help_costs_no_more_than_five_starts_of_python() -> None:
    assert processor_seconds("-m", "carteado.cli", "--help") < 5 * processor_seconds("-c", "pass")


def test_help_imports_no_socket_no_screen_and_no_game() -> None:
    script = (
        "import sys; from carteado.cli import arguments; arguments()[0].format_help();"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'zmq', 'msgpack', 'msgspec', 'prompt_toolkit', 'asyncio'}),"
        "*[name for name in sys.modules if name.startswith('carteado.plugins')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "" == done.stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "carteado: the following arguments are required: COMMAND"),
        (["dance"], "carteado: argument COMMAND: invalid choice: 'dance'"),
        (["arena", "toy"], "carteado arena: the following arguments are required: --seats"),
        (["arena", "canasta", "--seats", "rule,rule"], "carteado arena: argument GAME: there is no game 'canasta'; installed: "),
        (["arena", "toy", "--seats", "rule,rule", "--games", "0"], "argument --games: '0' is no whole number above zero"),
        (["arena", "toy", "--seats", "rule,rule", "--option", "loud"], "'loud' is no option; write it as name=value"),
        (["games", "toy", "--lang", "english"], "'english' is no language; the program's own are en, de, pt_PT, pt_BR"),
    ],
)
@pytest.mark.usefixtures("toy")
def test_wrong_arguments_are_one_sentence_and_status_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert (2, "", 1) == (stop.value.code, out, err.count("\n"))
    assert sentence in err


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(("lang", "lines"), [("fi", 1), ("en", 0), ("de_AT", 0), ("pt", 0), ("pt-BR", 0), ("C", 0)])
def test_a_language_that_the_program_has_no_texts_in_costs_one_sentence_and_no_more(
    lang: str, lines: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["games", "toy", "--lang", lang])
    out, err = capsys.readouterr()
    assert "Toy" in out
    assert lines == err.count("\n")
    assert not lines or err.startswith("carteado games: the program has no texts in fi, only in en, de, pt_PT, pt_BR;")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["arena", "toy", "--seats", "rule,genius"], "carteado arena: Toy has no computer player 'genius'; there are random, rule,"),
        (["arena", "toy", "--seats", "rule"], "carteado arena: 1 cannot play this: it takes 2 to 3."),
        (["arena", "toy", "--seats", "rule,rule", "--option", "sad=yes"], "carteado arena: There is no table option sad."),
        (["arena", "toy", "--seats", "rule,rule", "--option", "generous=7"], "7 does not fit the table option generous."),
    ],
)
@pytest.mark.usefixtures("toy")
def test_arguments_that_the_game_refuses_are_one_sentence_and_status_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (2, "", 1) == (status, out, err.count("\n"))
    assert sentence in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["games", "broken"], "carteado games: The game 'broken' (no_such_module:Game) cannot be imported"),
        (["replay", "/no/such/file"], "carteado replay: /no/such/file: No such file or directory"),
        (["arena", "toy", "--seats", "stubborn,rule", "--jobs", "1"], "carteado arena: stubborn 1 is stuck in hand 1"),
    ],
)
@pytest.mark.usefixtures("toy")
def test_failures_are_one_sentence_and_status_1(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (1, "", 1) == (status, out, err.count("\n"))
    assert sentence in err


def test_a_reader_that_has_enough_is_no_failure_with_a_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "carteado.cli", "games", "--json"], stdout=writer, stderr=subprocess.PIPE, text=True
        )
    finally:
        os.close(writer)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def install(site: Path, name: str, entry: str, module: str) -> None:
    """Lay a distribution into a folder that adds to the program."""
    info = site / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[carteado.program]\n{entry}\n")
    (site / f"{name}.py").write_text(module)


def test_another_distribution_can_add_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(
        tmp_path,
        "adds_a_dance",
        "dance = adds_a_dance",
        "from carteado.core.api import hookimpl\n"
        "@hookimpl\n"
        "def register_commands(commands):\n"
        "    commands.add('dance', 'turn around', lambda parser: parser.add_argument('times', type=int), run)\n"
        "def run(given):\n"
        "    print('round' * given.times)\n"
        "    return 7\n",
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert (7, "roundround\n") == (main(["dance", "2"]), capsys.readouterr().out)


def test_a_broken_plugin_costs_a_sentence_and_not_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "falls_over", "falls = falls_over", "raise RuntimeError('no power')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    out, err = capsys.readouterr()
    assert 0 == stop.value.code
    assert out.startswith("carteado ")
    assert "carteado: plugin 'falls' was left out: RuntimeError: no power\n" == err
