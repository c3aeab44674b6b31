"""Values of generated functions that nothing reads are left out, one after another."""

from __future__ import annotations

import re

from opkg.targets.qnn_common.unused import without_unused

VALUE = re.compile(r"(?:int|(?P<call>Found)) (?P<name>\w+) = ")


def test_what_only_unused_values_read_goes_too() -> None:
    lines = ["int a = 1;", "int b = a;", "int c = b;", "int d = a;", "return d;"]
    assert without_unused(lines, VALUE) == ["int a = 1;", "int d = a;", "return d;"]
    assert without_unused(["int a = 1;", "int b = a;", "f(1);"], VALUE) == ["f(1);"]


def test_messages_and_comments_do_not_read() -> None:
    assert without_unused(["int a = 1;", "// a", 'f("a");'], VALUE) == ["// a", 'f("a");']


def test_calls_stay_and_read() -> None:
    assert without_unused(["int a = 1;", "Found b = f(a);"], VALUE) == ["int a = 1;", "f(a);"]
