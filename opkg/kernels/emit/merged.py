"""Two rows structs that differ by the presence of inputs as one template: what differs stands behind `if constexpr`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from opkg.kernels.emit.blocks import Statement, indented, statements, text_of
from opkg.kernels.emit.rows import aligned
from opkg.kernels.emit.rows_code import Fewer, RowsCode

_NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-f]+|\d+)(?![\w.])")
_FUNCTION = re.compile(r"[^=]*?(\w+)\((.*)\) const \{$")
_CALL = re.compile(r"return (loops)\((.*)\);$")
_FIELD = re.compile(r"((?:u?int32_t|float|double|bool) \w+);")
_NUMBERS = re.compile(r"^(opkg::hvx::Number \w+)\[(\d+)\]")


class _Apart(Exception):
    """Structs have too little in common."""


def merged(fewer: RowsCode, more: RowsCode, given: Sequence[str]) -> RowsCode | None:
    """One struct template for `more`, which has the inputs of `fewer` in front of further ones, those `given`. None where
    the two have too little in common: elementwise kernels differ in the parameters of every function."""
    if not _alike(fewer, more):
        return None
    flag = "k" + "And".join(_camel(name) for name in given)
    merge = Merge(flag)
    try:
        made = replace(
            more,
            name=f"{more.name}Of",
            notes=(*more.notes, *_notes(fewer, more)),
            members=tuple(aligned(_fields(fewer, more))),
            prepare=tuple(aligned(merge.body(statements(fewer.prepare), statements(more.prepare)))),
            portable=tuple(_dependent(merge.members(fewer.portable, more.portable))),
            vector=tuple(aligned(merge.members(fewer.vector, more.vector))),
            fewer=Fewer(flag, (more.name, fewer.name), len(fewer.inputs)),
            common=tuple(merge.body(statements(fewer.common), statements(more.common)))
            if fewer.common and more.common
            else (),
        )
    except _Apart:
        return None
    return made


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _alike(fewer: RowsCode, more: RowsCode) -> bool:
    def parts(code: RowsCode) -> tuple[object, ...]:
        return code.step, code.outputs, code.condition, code.way, code.in_blocks

    ahead = more.inputs[: len(fewer.inputs)] == fewer.inputs
    return fewer.by_rows and more.by_rows and bool(more.condition) and ahead and parts(fewer) == parts(more)


def _notes(fewer: RowsCode, more: RowsCode) -> list[str]:
    """What is said of the struct with fewer inputs, but for what is said of both."""
    return [
        f"{fewer.notes[0].partition(': ')[2].capitalize()}: {note}"
        for note in fewer.notes[1:]
        if note not in more.notes
    ]


def _fields(fewer: RowsCode, more: RowsCode) -> list[str]:
    """Members of both. Those that one has are zero in the other."""
    one, two = _as_long([part.head for part in statements(code.members)] for code in (fewer, more))
    names = [line.partition(";")[0].split()[-1] for line in (*one, *(line for line in two if line not in one))]
    if len(set(names)) != len(names):
        raise _Apart
    return [
        line if line in one and line in two else _FIELD.sub(r"\1 = 0;", line, count=1)
        for line in (*two, *(line for line in one if line not in two))
    ]


def _as_long(structs: Iterable[list[str]]) -> list[list[str]]:
    """Members with arrays of numbers of the call as long as the longest one of their name."""
    given = list(structs)
    longest: dict[str, int] = {}
    for line in (line for lines in given for line in lines):
        if found := _NUMBERS.match(line):
            longest[found[1]] = max(longest.get(found[1], 0), int(found[2]))
    return [[_NUMBERS.sub(lambda f: f"{f[1]}[{longest[f[1]]}]", line) for line in lines] for lines in given]


def _dependent(lines: Iterable[str]) -> list[str]:
    """The type of what walks through a row now hangs on a template parameter."""
    return [line.replace("at.get<", "at.template get<") for line in lines]


@dataclass(frozen=True, slots=True)
class _Item:
    """A statement of both structs, or of the one with fewer or more inputs, at its place among all."""

    fewer: Statement | None
    more: Statement | None

    @property
    def both(self) -> bool:
        return self.fewer is not None and self.more is not None

    @property
    def only(self) -> Statement:
        found = self.more or self.fewer
        assert found is not None
        return found

    def on_side(self, other: _Item) -> bool:
        """Whether this one is seen by a statement of the other."""
        return (self.fewer is not None and other.fewer is not None) or (
            self.more is not None and other.more is not None
        )

    def uses(self, name: str) -> bool:
        return any(side is not None and name in side.words for side in (self.fewer, self.more))

    def apart(self) -> list[_Item]:
        return [_Item(self.fewer, None), _Item(None, self.more)] if self.both else [self]


def _items(fewer: Sequence[Statement], more: Sequence[Statement], key: Callable[[Statement], str]) -> list[_Item]:
    """The statements of both in one order: those with the same key are one."""
    match = SequenceMatcher(None, [key(s) for s in fewer], [key(s) for s in more], autojunk=False)
    found: list[_Item] = []
    for tag, first, end, other, other_end in match.get_opcodes():
        if tag == "equal":
            found += [_Item(one, two) for one, two in zip(fewer[first:end], more[other:other_end], strict=True)]
        else:
            found += [_Item(one, None) for one in fewer[first:end]]
            found += [_Item(None, two) for two in more[other:other_end]]
    return found


def _key(part: Statement) -> str:
    """What statements of functions have in common that may be merged."""
    if part.is_block and not part.chained:
        return _NUMBER.sub("0", part.head) + part.lines[-1]
    call = _CALL.match(part.head)
    return "\n".join(part.lines) if call is None else call[1]


def _member_key(part: Statement) -> str:
    function = _FUNCTION.match(part.head)
    return function[1] if function is not None else _NUMBER.sub("0", part.head)


class Merge:
    """Writes what is merged; `flag`: the template parameter that says whether there are more inputs."""

    def __init__(self, flag: str) -> None:
        self._flag = flag

    def members(self, fewer: Sequence[str], more: Sequence[str]) -> list[str]:
        """Members of a struct: functions and constants. A function whose parameters have other types is overloaded."""
        above: dict[int, tuple[str, ...]] = {}
        one, two = _members(statements(fewer), above), _members(statements(more), above)
        lines: list[str] = []
        for item in _items(one, two, _member_key):
            lines += above.get(id(item.more or item.fewer), ())
            if item.fewer is None or item.more is None or item.fewer == item.more:
                lines += item.only.lines
            elif not item.more.is_block:
                lines.append(self._numbers(item.fewer.head, item.more.head))
            elif _takes(item.fewer.head, item.more.head):
                body = self.body(statements(item.fewer.inner), statements(item.more.inner))
                lines += [item.more.head, *indented(body), item.more.lines[-1]]
            else:
                lines += [*item.more.lines, "", *above.get(id(item.fewer), ()), *item.fewer.lines]
        return lines

    def body(self, fewer: Sequence[Statement], more: Sequence[Statement]) -> list[str]:
        """The statements of a function or block."""
        lines: list[str] = []
        own: list[_Item] = []
        for item in _settled(_sunk(_items(fewer, more, _key))):
            if not item.both:
                own.append(item)
                continue
            lines += [*self._choice(own), *self._both(item.fewer, item.more)]
            own = []
        return lines + self._choice(own)

    def _both(self, fewer: Statement | None, more: Statement | None) -> Sequence[str]:
        assert fewer is not None
        assert more is not None
        if fewer == more:
            return more.lines
        if not more.is_block:
            return [self._call(fewer.head, more.head)]
        body = self.body(statements(fewer.inner), statements(more.inner))
        if more.head == "{" and len(statements(body)) == 1:
            return body
        return [self._numbers(fewer.head, more.head), *indented(body), more.lines[-1]]

    def _numbers(self, fewer: str, more: str) -> str:
        """A line with numbers that differ."""
        others = iter(_NUMBER.findall(fewer))
        return _NUMBER.sub(
            lambda m: m[0] if (other := next(others)) == m[0] else f"{self._flag} ? {m[0]} : {other}", more
        )

    def _call(self, fewer: str, more: str) -> str:
        """The call of a member that takes more."""
        one, two = _CALL.match(fewer), _CALL.match(more)
        assert one is not None
        assert two is not None
        args = [arg if arg in one[2].split(", ") else f"{self._flag} ? {arg} : nullptr" for arg in two[2].split(", ")]
        return f"return {two[1]}({', '.join(args)});"

    def _choice(self, items: Sequence[_Item]) -> list[str]:
        """Statements of one struct each."""
        fewer = text_of([item.fewer for item in items if item.fewer is not None])
        more = text_of([item.more for item in items if item.more is not None])
        if fewer and more:
            return [f"if constexpr ({self._flag}) {{", *indented(more), "} else {", *indented(fewer), "}"]
        if not fewer and not more:
            return []
        head = f"if constexpr ({self._flag if more else '!' + self._flag})"
        lines = more or fewer
        return [f"{head} {lines[0]}"] if len(lines) == 1 else [f"{head} {{", *indented(lines), "}"]


def _members(parts: Iterable[Statement], above: dict[int, tuple[str, ...]]) -> list[Statement]:
    """Members without the lines `template <...>`, which `above` gets, by the id of what they stand above."""
    found: list[Statement] = []
    template: tuple[str, ...] = ()
    for part in parts:
        if part.head.startswith("template <"):
            template = part.lines
            continue
        if template:
            above[id(part)] = template
        template = ()
        found.append(part)
    return found


def _takes(fewer: str, more: str) -> bool:
    """Whether a function takes what another one does, and more."""
    one, two = _FUNCTION.match(fewer), _FUNCTION.match(more)
    if one is None or two is None:
        raise _Apart
    rest = iter(two[2].split(", "))
    return all(parameter in rest for parameter in one[2].split(", "))


def _sunk(items: list[_Item]) -> list[_Item]:
    """Constants of one struct behind what is common to both, in front of what asks for them first: in the block that does,
    if nothing else asks."""
    items = list(items)
    for at in reversed(range(len(items))):
        item = items[at]
        users = _users(items, at) if item.only.head.startswith("const ") else []
        if not users or _changes(items[at + 1 : users[0]], item.only.words) or item.only.writes - {item.only.declares}:
            continue
        user = items[users[0]]
        if user.both and len(users) == 1 and user.only.head == "{":
            items[users[0]] = _Item(_first(user.fewer, item.fewer), _first(user.more, item.more))
            del items[at]
            continue
        place = users[0]
        while not items[place - 1].both:
            place -= 1
        if place > at + 1:
            items[at:place] = [*items[at + 1 : place], item]
    return items


def _users(items: Sequence[_Item], at: int) -> list[int]:
    """Places of the statements that ask for what one of a single struct declares."""
    name = "" if items[at].both else items[at].only.declares
    if not name:
        return []
    return [i for i in range(at + 1, len(items)) if items[i].on_side(items[at]) and items[i].uses(name)]


def _changes(items: Iterable[_Item], names: frozenset[str]) -> bool:
    """Whether statements set some variables."""
    sides = [side for item in items for side in (item.fewer, item.more) if side is not None]
    return any(names & side.writes and not side.declares for side in sides)


def _first(block: Statement | None, line: Statement | None) -> Statement | None:
    return block if block is None or line is None else block.with_first(line.head)


def _settled(items: list[_Item]) -> list[_Item]:
    """The same with everything apart that stands between what one struct declares and what asks for it last."""
    at = 0
    while at < len(items):
        users = _users(items, at)
        end = users[-1] + 1 if users else at
        if any(item.both for item in items[at:end]):
            items = [*items[:at], *(part for item in items[at:end] for part in item.apart()), *items[end:]]
            at = 0
        else:
            at += 1
    return items
