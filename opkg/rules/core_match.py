"""The typed tree of a rule, match: what an op must look like, and the types of scalars. `at` is the place in the rule's text
(start, end) of what was written; it takes no part in comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Type(StrEnum):
    """Types of scalar expressions: C++'s bool, int (32 bits), int64_t, size_t (64 bits), float (32 bits) and DType."""

    BOOL = "bool"
    INT = "int"
    INT64 = "int64"
    SIZE = "size"
    FLOAT = "float"
    DTYPE = "dtype"


class HtpType(IntEnum):
    """HTP's element types (facts/rules.md: DType tags; QHPI numbers them alike)."""

    UNKNOWN = 0
    QUInt8 = 1
    QUInt16 = 2
    QInt16 = 3
    Float32 = 4
    Int32 = 5
    QInt32 = 6
    QInt8 = 7
    Float16 = 8
    Int64 = 9
    BFloat16 = 10
    Multi = 255
    NONE = 254  # `DType::None`


At = tuple[int, int]


def at_field() -> At:
    """The field `at` of a node: where it was written; no part of comparison."""
    return field(default=(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class MatchTag:
    """An operand of any op, under a tag. A tag that stands twice must bind the same node."""

    tag: str
    at: At = at_field()


@dataclass(frozen=True, slots=True)
class MatchOp:
    """An op by its full name (`my.pkg::Relu`, `q::Add`, `$Const`) and inputs. `open`: OpVarIn, further inputs may follow.

    `tag`: from LET; the root has the tag "*".
    """

    op: str
    inputs: tuple[Match, ...]
    open: bool = False
    tag: str = ""
    at: At = at_field()


Match = MatchTag | MatchOp
