"""Entries in sorted lists of foreign files: insert and remove are inverse, in any order, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.targets.foreign import Place
from opkg.trees.entries import Entry, Taken, Unexpected, find, insert, remove
from opkg.trees.table import Absent

CLASSES, LIST = Place("classes"), Place("list", "__all__")
NAMES, IMPORTS, LINES = Place("names", "."), Place("imports"), Place("lines", "// begin", until="// end")
GUARDS = Place("guards", "check", "not ")
INSIDE = Place("list", "Pass.known", prefix="ops.")
WORD = st.from_regex(r"[a-zA-Z][a-zA-Z_]{0,4}", fullmatch=True).filter(
    lambda w: not w.lower().startswith(("as", "i", "n", "o"))
)


def _class(name: str) -> str:
    return f"@made\nclass {name}:\n    x: int = 1\n"


ENTRY = {
    CLASSES: _class,
    LIST: lambda name: f"    {name},\n",
    NAMES: lambda name: f"    {name},\n",
    IMPORTS: lambda name: f"from {name} import x\n",
    LINES: lambda name: f"  X({name})\n",
    INSIDE: lambda name: f"        ops.{name},\n",
    GUARDS: lambda name: f"    if not {name}(x):\n        return False\n",
}
KEY = {IMPORTS: "from {} import x", LINES: "X({})", INSIDE: "ops.{}", GUARDS: "not {}(x)"}


def key(place: Place, name: str) -> str:
    return KEY.get(place, "{}").format(name)


def document(place: Place, names: list[str], noise: list[str]) -> str:
    """A file with a list of these entries, in no order, and other things between and around them."""
    entries = [noise[at % len(noise)] + ENTRY[place](name) for at, name in enumerate(names)]
    if place == CLASSES:
        return "# head\nimport x\n\n\n" + "\n\n".join(entries) + "\n\nx = 1\n"
    if place == IMPORTS:
        return "# head\n" + "".join(entries) + "\nimport z\n"
    if place == LINES:
        return "int a;\n// begin\n" + "".join(entries) + "// end\nint b;\n"
    if place == GUARDS:
        return "# head\ndef check(x):\n    y = 1\n" + "".join(entries) + "    # all others\n    return True\n"
    indent = "    " if place == INSIDE else ""
    if place == NAMES:
        return "# head\nfrom . import (\n" + "".join(entries) + ")\n\nx = 1\n"
    head = "class Pass:\n    known = {\n" if place == INSIDE else "__all__ = [\n"
    return (
        head
        + "".join(entries)
        + indent
        + ("        _other,\n" if place == INSIDE else "")
        + indent
        + "}]"[place != INSIDE]
        + "\n"
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[Place, str, list[str]]:
    place = draw(st.sampled_from(list(ENTRY)))
    names = draw(st.lists(WORD, min_size=2, max_size=9, unique=True))
    ours = draw(st.integers(1, min(3, len(names) - 1)))
    comment = "// note\n" if place == LINES else "# note\n"
    noise = draw(st.lists(st.sampled_from(["", comment, "\n", comment + "\n"]), min_size=1, max_size=4))
    text = document(place, names[ours:], noise)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return place, text, names[:ours]


@given(cases(), st.randoms())
def test_inverse_and_in_any_order(case: tuple[Place, str, list[str]], random: object) -> None:
    place, text, names = case
    results = set()
    for order in (names, names[::-1]):
        result = text
        for name in order:
            result = insert(result, place, key(place, name), ENTRY[place](name))
        results.add(result)
    assert len(results) == 1
    for name in names:
        found = find(result, place, key(place, name))
        assert found is not None
        assert found.text == ENTRY[place](name)
        with pytest.raises(Taken) as taken:
            insert(result, place, key(place, name), "    other,\n")
        assert (taken.value.line, taken.value.text) == (found.line, found.text)
    random.shuffle(names)  # type: ignore[attr-defined]
    for name in names:
        result = remove(result, place, key(place, name))
    assert result == text


@given(cases())
def test_all_else_stays(case: tuple[Place, str, list[str]]) -> None:
    """The lines of the file are still there, in their order."""
    place, text, names = case
    result = insert(text, place, key(place, names[0]), ENTRY[place](names[0]))
    left = iter(result.splitlines(keepends=True))
    assert all(line in left for line in text.splitlines(keepends=True))
    assert "\r" not in result.replace("\r\n", "")
    assert ("\r" not in text) == ("\r" not in result)


def test_alphabetical() -> None:
    text = "__all__ = [\n    # first of all\n    op_add,\n    op_to,\n]\n"
    text = insert(text, LIST, "op_relu", "    op_relu,\n")
    text = insert(text, LIST, "op_Abs", "    op_Abs,\n")
    text = insert(text, LIST, "op_zero", "    op_zero,\n")
    assert text == (
        "__all__ = [\n    op_Abs,\n    # first of all\n    op_add,\n    op_relu,\n    op_to,\n    op_zero,\n]\n"
    )
    assert insert("__all__ = [\n]\n", LIST, "a", "    a,\n") == "__all__ = [\n    a,\n]\n"


def test_starlark() -> None:
    text = 'def f():\n    library(\n        srcs = glob([\n            "*.py",\n        ]),\n    )\n'
    place = Place("call", "glob")
    result = insert(text, place, "ours/*.py", '            "ours/*.py",\n')
    assert result == text.replace('"*.py",\n', '"*.py",\n            "ours/*.py",\n')
    assert remove(result, place, "ours/*.py") == text


@pytest.mark.parametrize(
    ("place", "text", "message", "line"),
    [
        (LIST, "x = 1\n", "there is no '__all__'", 1),
        (LIST, "x = 1\n__all__ = [a, b]\n", "the list stands on one line; one entry a line is expected", 2),
        (LIST, "__all__ = [\n  a, b,\n  c,\n]\n", "'a' is expected on a line of its own, with a comma", 2),
        (LIST, "__all__ = [\n  a,\n  b\n]\n", "'b' is expected on a line of its own, with a comma", 3),
        (LIST, "\n__all__ = f()\n", "'__all__' is no list of elements", 2),
        (LIST, "x = (\n", "is not Python: '(' was never closed", 1),
        (LIST, "\0", "is not Python: source code string cannot contain null bytes", 1),
        (INSIDE, "class Pass:\n    x = 1\n", "there is no 'Pass.known'", 1),
        (INSIDE, "class Other:\n    x = 1\n", "there is no 'Pass' of 'Pass.known'", 1),
        (INSIDE, "class Pass:\n    known = {\n        a,\n    }\n", "the list has no entry that begins with 'ops.'", 2),
        (CLASSES, "x = 1\n", "there are no classes to stand among", 1),
        (CLASSES, "class A:\n    x = 1", "the last line has no line end", 2),
        (NAMES, "import x\n", "there is no 'from . import'", 1),
        (IMPORTS, "import x\n", "there is no import that begins with ''", 1),
        (Place("call", "glob"), "f()\n", "there is no call of 'glob'", 1),
        (Place("call", "glob"), "\nglob(x)\n", "the first argument of 'glob' is no list", 2),
        (GUARDS, "x = 1\n", "there is no function 'check'", 1),
        (GUARDS, "def check(x):\n    x += 1\n", "'check' is expected to end with a return", 2),
        (LINES, "a\n", "there is no line '// begin'", 1),
        (LINES, "a\n// begin\n", "there is no line '// end' after '// begin'", 2),
    ],
)  # fmt: skip
def test_unexpected(place: Place, text: str, message: str, line: int) -> None:
    with pytest.raises(Unexpected) as failure:
        insert(text, place, "zz", ENTRY.get(place, ENTRY[LIST])("zz"))
    assert (failure.value.message, failure.value.line) == (message, line)


def test_edited_gap() -> None:
    text = "class A:\n    x = 1\n\n\nclass C:\n    x = 1\n"
    result = insert(text, CLASSES, "B", "class B:\n    x = 1\n")
    with pytest.raises(Unexpected, match="2 blank lines are expected beside 'B'"):
        remove(result.replace("\n\n\nclass C", "\ny = 1\nclass C"), CLASSES, "B")
    with pytest.raises(KeyError):
        remove(text, CLASSES, "B")


TABLE = Place("table", "| Operators |")
README = (
    "# Ops\n\n| Operators | HTP - 9/12 Enabled |\n|---|---|\n| Elu | &check; |\n| Lrn | &cross; |\n| Relu1 | &#128683; |\n"
    "\n| Lstm | &cross; |\n"
)


def test_tick_in_a_table() -> None:
    assert find(README, TABLE, "Lrn") is None
    ticked = insert(README, TABLE, "Lrn", "")
    assert ticked == README.replace("9/12", "10/12").replace("| Lrn | &cross;", "| Lrn | &check;")
    assert find(ticked, TABLE, "Lrn") == Entry(6, "| Lrn | &check; |\n")
    assert remove(ticked, TABLE, "Lrn") == README
    marked = insert(README, TABLE, "Lrn", "| Lrn | &check; <!-- opkg: qti.aisw --> |\n")
    assert marked == ticked.replace("| Lrn | &check;", "| Lrn | &check; <!-- opkg: qti.aisw -->")
    assert remove(marked, TABLE, "Lrn") == README
    with pytest.raises(Taken):
        insert(ticked, TABLE, "Lrn", "")
    for key in ("Relu1", "Lstm", "Other"):
        with pytest.raises(Absent):
            insert(README, TABLE, key, "")
        with pytest.raises(KeyError):
            remove(README, TABLE, key)
    with pytest.raises(Unexpected, match="there is no table"):
        insert(README.replace("Enabled", "of them"), TABLE, "Lrn", "")
