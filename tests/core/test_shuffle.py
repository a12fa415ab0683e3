"""Shuffles against the published definition, recomputed here with hashlib alone."""

from __future__ import annotations

import hashlib
import math
from collections import Counter

import pytest
from shuffles import drawn, shuffled, words
from tablegames import SEED, seed_of

from carteado.core.shuffle import Stream, block


def test_the_words_of_a_stream_are_the_sha256_blocks_in_counter_mode() -> None:
    stream, expected = Stream(SEED, "deal"), words(SEED, "deal")
    assert [next(expected) for _ in range(50)] == [stream.word() for _ in range(50)]


@pytest.mark.parametrize("name", ["deal", "turn", "start", "bot/1", "ü"])
def test_a_shuffle_is_fisher_yates_from_the_last_place_over_the_words_of_its_stream(name: str) -> None:
    cards = [f"R{i}" for i in range(108)]
    assert shuffled(cards, words(SEED, name)) == Stream(SEED, name).shuffled(cards)


def test_a_block_is_the_hash_of_tag_name_seed_and_counter() -> None:
    expected = hashlib.sha256(b"carteado/random/1\x04deal" + SEED + b"\0\0\0\0\0\0\0\x07").digest()
    assert expected == block(SEED, "deal", 7)


def test_streams_of_one_seed_differ() -> None:
    first = {name: Stream(SEED, name).word() for name in ("deal", "turn", "start", "bot/0", "bot/1")}
    assert 5 == len(set(first.values()))


def test_names_of_streams_cannot_be_confused_with_the_beginning_of_a_seed() -> None:
    assert Stream(b"a" + SEED[1:], "x").word() != Stream(SEED[1:], "xa").word()


def test_a_stream_goes_on_at_the_word_where_another_stopped() -> None:
    first = Stream(SEED, "turn")
    begun = [first.below(10) for _ in range(13)]
    again = Stream(SEED, "turn", first.at)
    whole = Stream(SEED, "turn")
    assert [whole.below(10) for _ in range(20)] == begun + [again.below(10) for _ in range(7)]


def test_a_word_above_the_largest_multiple_is_drawn_again() -> None:
    n = 2**31 + 1
    source = words(SEED, "turn")
    expected = [drawn(source, n) for _ in range(40)]
    stream = Stream(SEED, "turn")
    assert expected == [stream.below(n) for _ in range(40)]
    assert stream.at > 60  # about half of the words are rejected for this n; modulo alone would have used 40


@pytest.mark.parametrize("n", [1, 2**32])
def test_the_smallest_and_the_largest_range_use_one_word_each(n: int) -> None:
    stream = Stream(SEED, "turn")
    assert (next(words(SEED, "turn")) % n, 1) == (stream.below(n), stream.at)


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_range_without_numbers_or_beyond_32_bits_is_a_value_error(n: int) -> None:
    with pytest.raises(ValueError, match=r"below\(\) takes 1 to 2\*\*32"):
        Stream(SEED, "turn").below(n)


def test_a_shuffle_leaves_the_given_cards_alone() -> None:
    cards = ["A1", "A2", "A3", "A4"]
    Stream(SEED, "deal").shuffled(cards)
    assert ["A1", "A2", "A3", "A4"] == cards


def test_shuffles_of_nothing_and_of_one_card_use_no_words() -> None:
    stream = Stream(SEED, "deal")
    assert ([], ["A1"], 0) == (stream.shuffled([]), stream.shuffled(["A1"]), stream.at)


def chi_square(counts: Counter[object], cells: int) -> float:
    """Return how many standard deviations the chi-square statistic lies above its mean."""
    expected = sum(counts.values()) / cells
    statistic = sum((n - expected) ** 2 / expected for n in counts.values()) + (cells - len(counts)) * expected
    return (statistic - (cells - 1)) / math.sqrt(2 * (cells - 1))


def test_numbers_are_uniform() -> None:
    stream = Stream(seed_of(1), "turn")
    assert chi_square(Counter(stream.below(13) for _ in range(13_000)), 13) < 3.5


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    stream = Stream(seed_of(2), "deal")
    assert chi_square(Counter("".join(stream.shuffled("abcd")) for _ in range(6_000)), 24) < 3.5


def test_every_card_lands_on_every_place_equally_often() -> None:
    counts: Counter[object] = Counter()
    cards = [str(i) for i in range(8)]
    for number in range(1_500):
        counts.update(enumerate(Stream(seed_of(number), "deal").shuffled(cards)))
    assert chi_square(counts, 64) < 3.5


def test_the_uniformity_tests_notice_a_shuffle_that_swaps_with_any_place() -> None:
    stream = Stream(seed_of(2), "deal")

    def naive() -> str:
        cards = list("abcd")
        for i in range(4):
            j = stream.below(4)
            cards[i], cards[j] = cards[j], cards[i]
        return "".join(cards)

    assert chi_square(Counter(naive() for _ in range(6_000)), 24) > 10
