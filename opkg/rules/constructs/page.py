"""The reference page of the rule language, from the table of constructs: `python -m opkg.rules.constructs.page`."""

from __future__ import annotations

from opkg.rules.constructs import (
    FAMILIES,
    Construct,
    ContextKind,
    building,
    constants,
    macros,
    matches,
    operators,
    properties,
    splitting,
)
from opkg.rules.constructs.model import Kind
from opkg.rules.passes import ADVISED, FLAGS, PASSES
from opkg.rules.sdk_profiles import PROFILES

_HEAD = """\
# Reference of the rule language

One row for each construct, in the order in which one meets them. `opkg rules explain --construct NAME` prints the same.
This page is written from the table that the checker reads (`opkg/rules/constructs/`), by
`python -m opkg.rules.constructs.page > docs/rules-reference.md`.

*Gives* is the type of a scalar, or what a replacement makes. `common` is C++'s common type of the arguments, `same` the
type of the argument. *SDK*: the versions that have the construct; empty when all known ones do. Names in *italics* are not
in the published grammar, but in the SDK's headers and in rules that ship. What a macro stands for is given in the language
itself; "taken to be" says that it is inferred from the macro's name and use.

## Kinds of arguments

After a kind, `?` says that the argument may be left out, `...` that there may be any number, `2...` that there must be at
least two.

| kind | what may stand there |
| --- | --- |
"""
_PASSES = """
## Passes

Lower numbers run first; a pass is its number, however it is written. Names in bold are those that the SDK's samples advise
for packages.

"""
_KINDS = {
    Kind.BOOL: "a condition; C++ takes any number and holds it against 0 (OPK527)",
    Kind.INTEGER: "an int or size; floats do not compile",
    Kind.COUNT: "an int or size; floats lose their fraction (OPK527)",
    Kind.FLOAT: "a number, which becomes a float",
    Kind.NUMBER: "any scalar but an element type",
    Kind.VALUE: "any scalar",
    Kind.DTYPE: "an element type: `DType::QUInt8`, `DTYPE_OF(...)`, `DTYPE(...)`",
    Kind.LITERAL: "an integer that C++ knows when it compiles: `3`, `2*16`, `size_t(4)`",
    Kind.CLASS: "the name of a tensor class, without quotes",
    Kind.OPTION: "the name of a graph option in quotes",
    Kind.TEXT: "text in quotes, with C escapes",
    Kind.FUNCTION: "the name of a C++ function, without quotes; with template arguments in brackets: `(f<Tensor>)`",
    Kind.OP_NAME: '`"Name"`, which gets the package\'s prefix, `"q::Name"`, or `FROM_DEFAULT_PACKAGE("Name")`',
    Kind.NEW_TAG: "a tag in quotes that the pattern does not have yet",
    Kind.TAG: "a tag of the pattern in quotes, nothing else",
    Kind.SPLIT: 'the tag of a split in quotes, `"I"` by custom',
    Kind.OPERAND: 'a node that is already there: a tag of the pattern, `"*"` (the root), INPUT_OF, OUTPUT_OF, '
    "SELECT of these",
    Kind.MATCH: "a tag, Op, OpVarIn, LET",
    Kind.MATCH_OP: "Op or OpVarIn",
    Kind.REPLACEMENT: "an operand, or anything that builds",
    Kind.REFERENCE: "an operand; C++ takes anything that builds (OPK540)",
    Kind.SHAPE: "an operand, or a shape: gen_Shape, gen_ShapeOf, SHAPEFN_APPLY; C++ takes anything that builds "
    "(OPK540)",
    Kind.OP: "what builds an op: Op, OpMultiOut, WrapOp, slices, OP_ITER, a modifier around these, SELECT with one "
    "of these",
    Kind.BASE: "`Op(...)` or `Operand(...)`",
    Kind.ARGUMENT: "an operand, a replacement, or a scalar",
    Kind.PASS: "`EARLY`, `LATE + 10`: a name of a pass, and a number",
    Kind.FLAGS: "names of flags, joined by `|`",
    Kind.TERM: 'a property and the names of the tensors that have it: `Flat("*", "in")`',
    Kind.CPP: "a C++ expression, which is not part of the language",
}
_GROUPS = (
    ("Rules, patterns and op names", matches.ROWS),
    ("Constants, element types and options", constants.ROWS),
    ("Properties, relations and operands", properties.ROWS),
    ("Operators and functions", operators.ROWS),
    ("Macros of constraints", macros.ROWS),
    ("Building", building.ROWS),
    ("Splits, iterations and slices", (*splitting.ROWS, *FAMILIES)),
)
_COLUMNS = ("construct", "gives", "meaning", "SDK", "in QHPI callbacks", "trap")


def reference_page() -> str:
    """The page as Markdown, the same for every run."""
    kinds = "".join(f"| {kind} | {_cell(text)} |\n" for kind, text in _KINDS.items())
    groups = "".join(_group(title, rows) for title, rows in _GROUPS)
    return f"{_HEAD}{kinds}{groups}{_passes()}{_flags()}"


def _passes() -> str:
    """Pass names with their numbers in each SDK profile, in order of the newest."""
    numbers = {name: number for sdk in PROFILES for name, number in PASSES[sdk].items()}
    ordered = sorted(numbers, key=lambda name: (numbers[name], name))
    head = f"{_PASSES}| name | {' | '.join(PROFILES)} |\n|{' --- |' * (len(PROFILES) + 1)}\n"
    return head + "".join(_pass(name) for name in ordered)


def _pass(name: str) -> str:
    numbers = [str(PASSES[sdk].get(name, "")) for sdk in PROFILES]
    return f"| {f'**{name}**' if name in ADVISED else name} | {' | '.join(numbers)} |\n"


def _flags() -> str:
    """Flags with their bits and the SDK profiles that have them."""
    newest = sorted(FLAGS[PROFILES[-1]].items(), key=lambda item: item[1])
    lines = (f"| {name} | {bit} | {_since(name)} |\n" for name, bit in newest)
    return f"\n## Flags\n\n| name | bit | SDK |\n| --- | --- | --- |\n{''.join(lines)}"


def _since(flag: str) -> str:
    first = next(sdk for sdk in PROFILES if flag in FLAGS[sdk])
    return "" if first == PROFILES[0] else f"{first}+"


def _group(title: str, rows: tuple[Construct, ...]) -> str:
    head = f"\n## {title}\n\n| {' | '.join(_COLUMNS)} |\n|{' --- |' * len(_COLUMNS)}\n"
    return head + "".join(_line(row) for row in rows)


def _line(row: Construct) -> str:
    name = f"`{row.signature}`" if row.published else f"*`{row.signature}`*"
    name = name.replace(row.name, f"{row.name}...", 1) if row in FAMILIES else name
    gives = "" if row.context in (ContextKind.RULE, ContextKind.MATCH) else row.result
    cells = (name, gives, meaning(row), sdks(row), row.qhpi, row.trap)
    return f"| {' | '.join(_cell(cell) for cell in cells)} |\n"


def meaning(row: Construct) -> str:
    """What a construct means, what it stands for, and where it may stand."""
    parts = [row.meaning]
    if row.expansion:
        parts.append(f"{'Taken to be' if row.assumed else 'Stands for'} `{row.expansion}`.")
    if row.where:
        parts.append(row.where)
    return " ".join(parts)


def sdks(row: Construct) -> str:
    """The SDKs that have it: `2.43+`, `up to 2.25`, "" for all."""
    since = f"{row.since}+" if row.since != "2.13" else ""
    return " ".join(filter(None, (since, f"up to {row.until}" if row.until else "")))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(reference_page(), end="")
