"""Names of kernels in a library: found as they are held, and no others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from opkg.verify.bundle.names import has_name

NAMES = st.lists(st.text("abc_01", min_size=1, max_size=12), min_size=1, max_size=8, unique=True)


def _held(names: list[str]) -> bytes:
    found, before = b"", ""
    for name in names:
        shared = next(
            (k for k, (a, b) in enumerate(zip(before, name, strict=False)) if a != b), min(len(before), len(name))
        )
        found += bytes([shared]) + name[shared:].encode() + b"\0"
        before = name
    return found


@given(NAMES, st.text("abc_01", min_size=1, max_size=12), st.binary(max_size=20))
def test_names_are_found_as_they_are_held(names: list[str], other: str, around: bytes) -> None:
    library = around + b"\xff\0" + _held(names)
    assert all(has_name(library, name) for name in names)
    if other not in names:
        assert not has_name(b"\xff\0" + _held(names), other)


def test_long_names_and_letters_that_are_numbers() -> None:
    """What two names share may be as much as a letter is worth: 97 is an a."""
    long = "a" * 97
    names = [long + "b", long + "c", "a" * 300, "a" * 301, "b"]
    library = b"\xff\0" + b"\0" + names[0].encode() + b"\0" + bytes([97]) + b"c\0" + bytes([97]) + b"a" * 203 + b"\0"
    library += bytes([255]) + b"a" * 46 + b"\0" + b"\0b\0"
    assert [has_name(library, name) for name in names] == [True] * 5
    assert not has_name(library, "a" * 302)
    assert not has_name(library, long + "d")
