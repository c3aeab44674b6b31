"""What a row of the table of constructs holds: a name in one context, its signature, meaning, SDKs, expansion, traps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class ContextKind(StrEnum):
    """Where a construct stands."""

    RULE = "rule"  # at the top of a file
    OP_NAME = "op name"
    MATCH = "match"
    SCALAR = "scalar"  # the constraint, and numbers in replacements
    OPERAND = "operand"  # a node that is already there
    REPLACEMENT = "replacement"


class Kind(StrEnum):
    """What an argument is. The scalar kinds say which conversion C++ makes of it."""

    BOOL = "bool"  # anything but a dtype; converted to bool
    INTEGER = "integer"  # bool, int, int64, size; C++ rejects floats
    COUNT = "count"  # a number that becomes an integer; floats lose their fraction
    FLOAT = "float"  # a number that becomes a float
    NUMBER = "number"  # any scalar but a dtype
    VALUE = "value"  # any scalar, dtypes too
    DTYPE = "dtype"
    LITERAL = "integer constant"  # of C++: computed expressions do not compile
    CLASS = "tensor class"
    OPTION = "option name"
    TEXT = "text"  # a string with C escapes
    FUNCTION = "C++ function"
    OP_NAME = "op name"
    NEW_TAG = "new tag"  # LET's
    TAG = "tag"  # a string, nothing else
    SPLIT = "split tag"
    OPERAND = "operand"  # a tag, INPUT_OF, OUTPUT_OF, SELECT of these
    MATCH = "match"
    MATCH_OP = "match op"
    REPLACEMENT = "replacement"
    REFERENCE = "reference"  # an existing operand; C++ takes any replacement
    SHAPE = "shape"  # an existing operand or a shape construction; C++ takes any replacement
    OP = "op construction"
    BASE = "iteration base"  # Op(...) or Operand(...)
    ARGUMENT = "argument"  # of a function: an operand, a replacement or a scalar
    PASS = "pass"
    FLAGS = "flags"
    TERM = "term"  # of DEF_TENSOR_PROPERTIES
    CPP = "expression"  # of C++


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter. `least` to `most` arguments may stand for it (`most` None: any number); only the last ones vary."""

    name: str
    kind: Kind
    least: int = 1
    most: int | None = 1

    def __str__(self) -> str:
        rest = {(1, 1): "", (0, 1): "?", (0, None): "...", (1, None): "..."}.get((self.least, self.most))
        return f"{self.name}: {self.kind}{f' {self.least}...' if rest is None else rest}"


@dataclass(frozen=True, slots=True)
class Construct:
    """One construct in one context.

    `result`: a scalar type, `common` (C++'s common type of the arguments), `same` (the first argument's type), or what a
    replacement makes: `op`, `shape`, `constant`, `node`. `bare`: stands without brackets. `expansion`: what it means in the
    language itself, with the parameters' names; `assumed`: taken from its name and use, as no fact states it.
    `published`: part of the published grammar. `since`, `until`: the SDK profiles that have it.
    """

    name: str
    context: ContextKind
    params: tuple[Param, ...]
    result: str
    meaning: str
    where: str = ""
    since: str = "2.13"
    until: str = ""
    expansion: str = ""
    assumed: bool = False
    qhpi: str = ""
    trap: str = ""
    published: bool = True
    bare: bool = False

    @property
    def least(self) -> int:
        return sum(param.least for param in self.params)

    @property
    def most(self) -> int | None:
        counts = [param.most for param in self.params]
        return None if None in counts else sum(count for count in counts if count is not None)

    @property
    def signature(self) -> str:
        """`DIM_OF(x: operand, index: integer constant)`."""
        return self.name if self.bare else f"{self.name}({', '.join(str(param) for param in self.params)})"

    def param(self, number: int, count: int) -> Param:
        """The parameter that argument `number` of `count` is for; the last one when there are too many."""
        at = 0
        spare = count - self.least
        for param in self.params:
            width = param.least
            if param.least != param.most and spare > 0:
                extra = spare if param.most is None else min(spare, param.most - param.least)
                width, spare = width + extra, spare - extra
            at += width
            if number < at:
                return param
        return self.params[-1]

    def missing_in(self, sdk: str) -> str:
        """Why an SDK does not have it ("needs 2.43"), "" when it has."""
        if version(sdk) < version(self.since):
            return f"exists since SDK {self.since}"
        if self.until and version(sdk) > version(self.until):
            return f"exists up to SDK {self.until} only"
        return ""


NEWEST = (9999, 0)
_PARAM = re.compile(r"(\w+): ([\w+ ]+?)(\?|\*|\+\d*)?")
_VERSION = re.compile(r"v?(\d+)\.(\d+)")


def version(sdk: str) -> tuple[int, int]:
    """(2, 43) of "2.43" or "2.43.0.250101"; text that is no version, also "", counts as newest."""
    found = _VERSION.match(sdk)
    return (int(found[1]), int(found[2])) if found else NEWEST


def signature(text: str) -> tuple[Param, ...]:
    """Parameters of `x: operand, index: integer constant`; after a kind `?`: may be left out, `*`: any number, `+2`: at
    least two."""
    return tuple(_param(part) for part in text.split(", ")) if text else ()


def _param(text: str) -> Param:
    found = _PARAM.fullmatch(text)
    if found is None:
        raise ValueError(f"no parameter: {text!r}")
    name, kind, rest = found[1], Kind(found[2]), found[3] or ""
    if rest == "?":
        return Param(name, kind, 0, 1)
    if rest == "*":
        return Param(name, kind, 0, None)
    if rest:
        return Param(name, kind, int(rest[1:] or 1), None)
    return Param(name, kind)
