"""Random numbers of kernels: SplitMix64 as published, uniform, and never an end of the unit interval."""

from collections import Counter

from gametree.kernel.keys import FIRST, MASK, mix
from gametree.kernel.random import Generator, add_number, add_to, add_word, below, exchange, seeded, unit


def test_numbers_are_those_of_splitmix64() -> None:
    dice = Generator(random=seeded(5))
    state = mix(5)
    for _ in range(100):
        state = state + FIRST & MASK
        assert below(dice, 1 << 64) == mix(state)


def test_numbers_below_a_bound_are_uniform() -> None:
    dice = Generator(random=seeded(1))
    counts = Counter(below(dice, 7) for _ in range(14_000))
    assert set(counts) == set(range(7))
    # Six degrees of freedom: beyond 27 is a chance of one in ten thousand.
    assert sum((count - 2000) ** 2 / 2000 for count in counts.values()) < 27


def test_numbers_between_0_and_1_have_the_mean_and_variance_of_uniform_ones() -> None:
    dice = Generator(random=seeded(2))
    drawn = [unit(dice) for _ in range(20_000)]
    mean = sum(drawn) / len(drawn)
    assert min(drawn) > 0 and max(drawn) < 1
    assert abs(mean - 0.5) < 0.01
    assert abs(sum((x - mean) ** 2 for x in drawn) / len(drawn) - 1 / 12) < 0.003


def test_what_threads_share_is_added_to_and_exchanged() -> None:
    words, numbers = [3, 4], [0.5]
    assert add_word(words, 1, 5) == 4 and words == [3, 9]
    dice = Generator(random=3)
    assert add_to(dice, "random", 2) == 3 and dice.random == 5
    add_number(numbers, 0, 0.25)
    assert numbers == [0.75]
    assert exchange(words, 0, 3, 8) and not exchange(words, 0, 3, 7)
    assert words == [8, 9]
