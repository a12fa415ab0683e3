"""Key files that only their owner may read, and addresses as people write them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.net.errors import BadAddress, BadKeyFile
from carteado.net.keys import (
    PORT,
    Address,
    KeyPair,
    data_folder,
    fingerprint,
    host_keys,
    key_from_text,
    key_to_text,
    load,
    load_or_make,
    my_keys,
    write_private,
)

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


def test_a_key_pair_is_made_on_first_use_and_is_the_same_ever_after(tmp_path: Path) -> None:
    made = load_or_make(tmp_path / "deep" / "me.key")
    assert made == load_or_make(tmp_path / "deep" / "me.key")
    assert 32 == len(made.public) == len(made.secret)


@posix
def test_a_key_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    load_or_make(tmp_path / "keys" / "me.key")
    assert 0o600 == (tmp_path / "keys" / "me.key").stat().st_mode & 0o777
    assert 0o700 == (tmp_path / "keys").stat().st_mode & 0o777
    assert ["me.key"] == os.listdir(tmp_path / "keys")


@posix
def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    load_or_make(tmp_path / "me.key")
    (tmp_path / "me.key").chmod(0o644)
    with pytest.raises(BadKeyFile, match="chmod 600"):
        load_or_make(tmp_path / "me.key")


@posix
def test_a_key_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    load_or_make(tmp_path / "true.key")
    (tmp_path / "me.key").symlink_to(tmp_path / "true.key")
    with pytest.raises(BadKeyFile, match="cannot read"):
        load_or_make(tmp_path / "me.key")


def test_a_folder_in_place_of_a_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "me.key").mkdir(mode=0o700)
    with pytest.raises(BadKeyFile):
        load_or_make(tmp_path / "me.key")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "00" * 31, "zz" * 32, "00" * 32 + "\n" + "00" * 32, "\x00\xff"])
def test_a_damaged_key_file_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "me.key"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o600)
    with pytest.raises(BadKeyFile, match="damaged"):
        load_or_make(path)
    assert text.encode("latin-1") == path.read_bytes()


def test_a_key_folder_that_cannot_be_made_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadKeyFile, match=r"cannot (read|write)"):
        load_or_make(tmp_path / "file" / "me.key")


def test_a_missing_key_file_is_not_made_by_load(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "me.key")


def test_a_private_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    assert write_private(tmp_path / "a", "one")
    assert not write_private(tmp_path / "a", "two")
    assert "one" == (tmp_path / "a").read_text()
    assert write_private(tmp_path / "a", "two", replace=True)
    assert "two" == (tmp_path / "a").read_text()
    assert ["a"] == os.listdir(tmp_path)


def test_one_variable_moves_all_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    assert tmp_path == data_folder()
    assert my_keys() != host_keys()
    assert ["host.key", "me.key"] == sorted(os.listdir(tmp_path))


def test_without_the_variable_the_platform_says_where() -> None:
    assert "carteado" in str(data_folder({}))


def test_a_secret_key_never_shows() -> None:
    pair = KeyPair.make()
    assert pair.secret.hex() not in repr(pair)
    assert repr(pair.secret) not in repr(pair)
    assert pair == KeyPair.from_secret(pair.secret)


def test_a_fingerprint_is_short_and_differs() -> None:
    assert fingerprint(bytes(32)) != fingerprint(bytes(31) + b"\x01")
    assert 19 == len(fingerprint(bytes(32)))


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("10.0.0.7", "10.0.0.7", PORT),
        ("10.0.0.7:7000", "10.0.0.7", 7000),
        ("tcp://box.local:1", "box.local", 1),
        (" tcp://[fe80::1]:65535/ ", "fe80::1", 65535),
        ("[::1]", "::1", PORT),
    ],
)
def test_an_address_is_read_as_people_write_it(text: str, host: str, port: int) -> None:
    assert Address(host, port) == Address.parse(text)


@pytest.mark.parametrize(
    "text", ["", "a b", "10.0.0.7:", "10.0.0.7:0", "10.0.0.7:65536", "::1", "http://x", "x:1:2", "-;rm", "x#short", "x#" + "A" * 43 + "="]
)  # fmt: skip
def test_what_is_no_address_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadAddress):
        Address.parse(text)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 65535), st.sampled_from(["127.0.0.1", "box.local", "fe80::1:2"]))
def test_an_address_with_a_key_is_read_back_from_what_it_is_written_as(key: bytes, port: int, host: str) -> None:
    address = Address(host, port, key)
    assert address == Address.parse(str(address))
    assert key == key_from_text(key_to_text(key))


def test_an_address_is_told_with_its_code_or_with_its_key() -> None:
    key = bytes(32)
    assert "10.0.0.7:7000 7KQ4-M2XP-9D4T-V" == Address("10.0.0.7", 7000, key, "7KQ4-M2XP-9D4T-V").told
    assert f"tcp://10.0.0.7:7000#{key_to_text(key)}" == Address("10.0.0.7", 7000, key).told


def test_a_key_text_with_stray_bits_is_refused() -> None:
    text = key_to_text(bytes(32))
    with pytest.raises(BadAddress):
        key_from_text(text[:-1] + "B")
