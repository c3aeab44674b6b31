"""Calls: which row of the table a call is, its arguments by the row's signature, macros by their expansion."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar

from opkg.rules.constructs import Construct, ContextKind, Kind, Param, names, row_of, rows_of
from opkg.rules.elaborate.state import Split, State, name_at, unwrap
from opkg.rules.syntax import Call, Front, Name, Node, Str, with_parts
from opkg.rules.text.parse import parse_expression
from opkg.spec.diagnostics import nearest
from opkg.spec.source_text import SourceText

Taker = Callable[[State, Node], Any]  # gives None after an error
Builder = Callable[[State, Call, Construct, list[Any]], Any]

_T = TypeVar("_T", bound=Taker)
_B = TypeVar("_B", bound=Builder)

TAKE: dict[Kind, Taker] = {}  # how an argument of a kind is read
BUILD: dict[tuple[ContextKind, str], Builder] = {}  # what a construct becomes
SPLITS = frozenset(("AUTOSPLIT", "AUTOSPLIT_FIRST", "AUTOSPLIT_REDUCE", "AUTOTHREAD_HVX", "AUTOTHREAD_HMX"))
DEEPEST_SPLITS = 8  # the framework's stack of split contexts
OPENERS = SPLITS | {"OP_ITER"}
NEEDED = {
    ContextKind.SCALAR: "a scalar",
    ContextKind.OPERAND: "an operand that is already there",
    ContextKind.REPLACEMENT: "a node or what builds one",
    ContextKind.MATCH: "a pattern",
    ContextKind.OP_NAME: "an op name",
}


def takes(*kinds: Kind) -> Callable[[_T], _T]:
    """Enter a function as the reader of arguments of these kinds."""

    def enter(function: _T) -> _T:
        TAKE.update(dict.fromkeys(kinds, function))
        return function

    return enter


def builds(context: ContextKind, *constructs: str) -> Callable[[_B], _B]:
    """Enter a function as what makes these constructs."""

    def enter(function: _B) -> _B:
        BUILD.update({(context, name): function for name in constructs})
        return function

    return enter


def construct(state: State, call: Call, context: ContextKind, otherwise: Builder | None = None) -> Any:
    """What a call becomes in a context; None after an error. `otherwise` makes rows without builder and expansion."""
    if not state.spend(name_at(call)):
        return None
    state.depth += 1
    made = _made(state, call, context, otherwise)
    state.depth -= 1
    return made


def _made(state: State, call: Call, context: ContextKind, otherwise: Builder | None) -> Any:
    row = find_row(state, call, context)
    if row is None:
        return None
    build = BUILD.get((context, row.name))
    if build is None and row.expansion:
        return _expanded(state, call, row)
    values = arguments(state, call, row)
    if values is None:
        return None
    build = build or otherwise
    assert build is not None, row.name
    return build(state, call, row, values)


def find_row(state: State, call: Call | Name, context: ContextKind) -> Construct | None:
    """The row of a call or bare name; None after a finding (OPK520, OPK522, OPK524)."""
    bare = isinstance(call, Name)
    text = call.text if isinstance(call, Name) else call.name
    place = (call.start, call.end) if isinstance(call, Name) else name_at(call)
    row = row_of(text, context)
    if row is None:
        _no_row(state, text, place, context)
        return None
    if row.bare != bare:
        form = f"'{row.name}' takes no arguments" if row.bare else f"'{row.name}' needs arguments"
        state.error("OPK521", form, place, f"write {row.signature}")
        return None
    if lack := row.missing_in(state.context.sdk):
        state.error("OPK524", f"'{row.name}' {lack}, and the rules are for SDK {state.context.sdk}", place)
        return None
    return row


def _no_row(state: State, text: str, place: tuple[int, int], context: ContextKind) -> None:
    needed = NEEDED[context]
    rows = rows_of(text)
    if rows:
        kinds = " and ".join(", ".join(dict.fromkeys(row.context for row in rows)).rsplit(", ", 1))
        state.error("OPK522", f"'{text}' cannot stand here, where {needed} is needed: it belongs to {kinds}", place)
        return
    macro = state.front is Front.CPP and "::" not in text
    if macro and not any(get_close_matches(text, names(kind), 1, 0.8) for kind in NEEDED):
        hint = "if it is a macro of an included file, --preprocess reads what it stands for"
        state.warning("OPK520", f"there is no construct '{text}', and this file does not define it", place, hint)
        state.complete = False
        return
    near = nearest(text, names(context)) or nearest(text, tuple(name for kind in NEEDED for name in names(kind)))
    hint = f"did you mean '{near}'?" if near else "opkg rules explain --construct NAME knows the names"
    state.error("OPK520", f"there is no construct '{text}'", place, hint)


def arguments(state: State, call: Call, row: Construct) -> list[Any] | None:
    """The arguments as their parameters' kinds say; None after an error in one of them or in their number."""
    values: list[Any] = []
    good = _counted(state, call, row)
    count = len(call.args)
    for number, node in enumerate(call.args):
        param = row.param(number, count)
        scope = nullcontext() if row.name not in OPENERS or number < count - 1 else _scope(state, call, row)
        with scope:
            value = _new_split(state, node) if _opens(row, param) else TAKE[param.kind](state, node)
        good = good and value is not None
        values.append(value)
    return values if good else None


def _counted(state: State, call: Call, row: Construct) -> bool:
    """Whether the number of arguments is right, else with a finding (OPK521)."""
    count, least, most = len(call.args), row.least, row.most
    if count >= least and (most is None or count <= most):
        return True
    wanted = str(least) if least == most else f"at least {least}" if most is None else f"{least} to {most}"
    noun = "argument" if wanted.endswith(" 1") or wanted == "1" else "arguments"
    state.error("OPK521", f"{row.name} takes {wanted} {noun}, not {count}", name_at(call), f"write {row.signature}")
    return False


# ---- splits --------------------------------------------------------------------------------------------------------


def _opens(row: Construct, param: Param) -> bool:
    return row.name in OPENERS and param.kind is Kind.SPLIT


def _new_split(state: State, node: Node) -> str | None:
    """The tag of a split that begins."""
    node = unwrap(node)
    if not isinstance(node, Str):
        state.error("OPK522", "a split tag is a string", node)
        return None
    if len(state.splits) >= DEEPEST_SPLITS:
        state.error("OPK530", f"splits are nested deeper than {DEEPEST_SPLITS}", node)
    if node.value in state.split_tags:
        what = "an outer split" if state.open_split(node.value) else "another split of this rule"
        state.warning("OPK530", f'split tag "{node.value}" is that of {what} too', node, "give each split its own tag")
    return node.value


class _scope:
    """While the body of a split is read; afterwards, whether an AUTOSPLIT's tag was used."""

    def __init__(self, state: State, call: Call, row: Construct) -> None:
        number = next(i for i, param in enumerate(row.params) if param.kind is Kind.SPLIT)
        self.state, self.row = state, row
        self.node = unwrap(call.args[min(number, len(call.args) - 1)])
        tag = self.node.value if isinstance(self.node, Str) else getattr(self.node, "text", "")  # quotes forgotten
        self.split = Split(tag, row.name)
        self.manager = state.within(self.split)

    def __enter__(self) -> None:
        self.manager.__enter__()

    def __exit__(self, *error: object) -> None:
        self.manager.__exit__(None, None, None)
        if self.row.name in SPLITS and not self.split.used and isinstance(self.node, Str):
            message = f'nothing inside uses split tag "{self.split.tag}": every part is built from the same nodes'
            self.state.warning(
                "OPK530", message, self.node, f'TYPICAL_SLICE("X", "{self.split.tag}") takes a part of "X"'
            )


# ---- macros --------------------------------------------------------------------------------------------------------


def _expanded(state: State, call: Call, row: Construct) -> Any:
    """A macro as its expansion, elaborated in the context it stands in; what is new in it stands where the call stands."""
    if not _counted(state, call, row):
        return None
    params = {param.name: node for param, node in zip(row.params, call.args, strict=False)}
    return TAKE[_WHOLE[row.context]](state, instantiate(expansion(row.expansion), params, call))


_WHOLE = {
    ContextKind.SCALAR: Kind.VALUE,
    ContextKind.OPERAND: Kind.OPERAND,
    ContextKind.REPLACEMENT: Kind.REPLACEMENT,
    ContextKind.MATCH: Kind.MATCH,
}


@cache
def expansion(text: str) -> Node:
    """The expansion of a row as a tree. The table's texts parse: a test sees to it."""
    node, findings = parse_expression(SourceText("table of constructs", text))
    assert node is not None, (text, findings)
    return node


def instantiate(body: Node, params: dict[str, Node], place: Node) -> Node:
    """The body with nodes in place of parameters' names; other nodes stand at `place`."""
    if isinstance(body, Name) and body.text in params:
        return params[body.text]
    made = replace(with_parts(body, lambda part: instantiate(part, params, place)), start=place.start, end=place.end)
    if isinstance(made, Call):
        return replace(made, name_end=place.name_end if isinstance(place, Call) else place.end)
    return made
