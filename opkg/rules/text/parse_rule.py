"""Macro calls of op packages: which arguments they have, and what of syntax they become."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.rules.syntax import Call, Declaration, Int, Item, Name, Node, Rule, Str
from opkg.rules.text.lexer import Faults, Token, tokenize
from opkg.rules.text.parse import Parser
from opkg.rules.text.parse_state import EndReached, Unreadable
from opkg.spec.diagnostics import Diagnostic, nearest
from opkg.spec.source_text import AnyText

# Arguments of the macros that are rules, by name: pass, flags, match, when, replace, and for tilings dim, tag, chunk.
RULE_MACROS: dict[str, tuple[str, ...]] = {
    "DEF_PACKAGE_OPTIMIZATION": ("pass", "match", "when", "replace"),
    "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS": ("pass", "flags", "match", "when", "replace"),
    "DEF_OPT": ("pass", "match", "when", "replace"),
    "DEF_OPTIM": ("pass", "flags", "match", "when", "replace"),
    "DEF_OPT_FLAGS": ("pass", "flags", "match", "when", "replace"),
    "DEF_AUTOSPLIT": ("pass", "match", "when", "dim", "tag", "chunk", "replace"),
    "DEF_AUTOSPLITIM": ("pass", "flags", "match", "when", "dim", "tag", "chunk", "replace"),
    "DEF_AUTOSPLIT_ORDERED": ("pass", "match", "when", "dim", "tag", "chunk", "replace"),
    "DEF_AUTOSPLIT_TYPICAL": ("pass", "op", "arity", "dim", "chunk"),
    "__def_opt__": ("pass", "flags", "match", "when", "replace"),  # after -E with DEF_OPT_COMPILE
}
# Other macros: how many arguments at least, and at most (None: any number).
DECLARATION_MACROS: dict[str, tuple[int, int | None]] = {
    "DEF_TENSOR_PROPERTIES": (1, None),
    "DEF_PACKAGE_OP": (2, 2),
    "DEF_PACKAGE_OP_AND_COST_AND_FLAGS": (3, None),
    "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS": (3, None),
    "DEF_PACKAGE_PARAM_ORDER": (1, None),
    "BEGIN_PKG_OP_DEFINITION": (1, 1),
    "__dtp__": (1, None),
    "__reg_op__": (2, 2),
}
_PLAIN = frozenset(
    (
        "DEF_PACKAGE_OP", "DEF_PACKAGE_OP_AND_COST_AND_FLAGS", "DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS",
        "DEF_PACKAGE_PARAM_ORDER", "BEGIN_PKG_OP_DEFINITION", "__reg_op__",
    )
)  # fmt: skip
MACROS = (*RULE_MACROS, *DECLARATION_MACROS)


def parse_macro_call(
    text: AnyText, name: str, start: int = 0, end: int | None = None
) -> tuple[Item | None, list[Diagnostic]]:
    """The macro call that text.text[start:end] is (a `;` may follow), as a rule called `name` or a declaration.

    None when it is none or its parts cannot be read (OPK500 to OPK512).
    """
    faults = Faults(text)
    tokens, _ = tokenize(text.text, start, end)
    first = tokens[0]
    if first.kind != "name" or tokens[1].text != "(":
        stop = max(first.end, first.start + 1)
        faults.add("OPK511", "this is no macro call", first.start, stop, "DEF_PACKAGE_OPTIMIZATION(EARLY, ...)")
        return None, faults.found
    if first.text not in MACROS:
        near = nearest(first.text, MACROS)
        hint = f"did you mean '{near}'?" if near else "rules are written with DEF_PACKAGE_OPTIMIZATION"
        faults.add("OPK511", f"'{first.text}' is no macro of rules", first.start, first.end, hint)
        return None, faults.found
    return read_macro(tokens, text, name, faults, alone=True), faults.found


def read_macro(tokens: Sequence[Token], text: AnyText, name: str, faults: Faults, alone: bool = False) -> Item | None:
    """The macro call the tokens begin with, the last being `end`; None after a finding. `alone`: nothing may follow."""
    parser = Parser(tokens, text, faults, in_macro=True, plain=tokens[0].text in _PLAIN)
    head = tokens[0]
    try:
        parser.at = 1
        call = parser.call(head)
        if alone:
            while parser.tokens[parser.at].text == ";":
                parser.at += 1
            parser.expect_end()
    except (Unreadable, EndReached):
        return None
    return None if parser.failed else item_of(call, text, name, faults)


def item_of(call: Call, text: AnyText, name: str, faults: Faults) -> Item | None:
    """What a macro call declares; None after a finding (OPK511: wrong number of arguments)."""
    slots = RULE_MACROS.get(call.name)
    if slots is None:
        least, most = DECLARATION_MACROS[call.name]
        if len(call.args) < least or (most is not None and len(call.args) > most):
            _count(call, str(least) if least == most else f"at least {least}", faults)
            return None
        return Declaration(call.name, call.args, text, start=call.start, end=call.end)
    if len(call.args) != len(slots):
        _count(call, f"{len(slots)} ({', '.join(slots)})", faults)
        return None
    parts: dict[str, Node] = dict(zip(slots, call.args, strict=True))
    if "chunk" in parts:
        parts = _tiling(call.name, parts)
    return Rule(
        name, call.name, parts["pass"], parts.get("flags"), parts["match"], parts["when"], parts["replace"],
        text, start=call.start, end=call.end,
    )  # fmt: skip


def _count(call: Call, wanted: str, faults: Faults) -> None:
    number = len(call.args)
    message = f"{call.name} takes {wanted} arguments, not {number}"
    faults.add("OPK511", message, call.start, call.name_end)


def _tiling(macro: str, parts: dict[str, Node]) -> dict[str, Node]:
    """DEF_AUTOSPLIT*: an AUTOSPLIT of the replacement, guarded by the size of the dimension that is split."""
    dim, chunk = parts["dim"], parts["chunk"]
    start, end = dim.start, chunk.end

    def call(name: str, *args: Node) -> Call:
        return Call(name, args, start=start, end=end, name_end=end)

    def text(value: str) -> Str:
        return Str(value, start=start, end=end)

    if macro == "DEF_AUTOSPLIT_TYPICAL":
        op = parts["op"]
        parts["tag"] = text("I")
        parts["when"] = Name("OK", start=start, end=end)
        parts["match"] = Call("OpVarIn", (op,), start=op.start, end=op.end, name_end=op.end)
        source = call("ITER_INPUT_OF", text("*"), text("J"))
        turn = call("GE", call("SPLIT_START", text("J")), parts["arity"])
        body = call("SELECT", turn, source, call("TYPICAL_SLICE", source, text("I")))
        low = Int("0", 0, False, start=start, end=end)
        parts["replace"] = call("OP_ITER", call("Op", op), text("J"), low, call("INPUTS_OF", text("*")), body)
    if macro == "DEF_AUTOSPLIT_ORDERED":
        parts["flags"] = Name("ordered_autosplit_flag", start=start, end=end)
    guard = call("GT", call("DIM_OF", text("*"), dim), chunk)
    whole = parts["replace"]
    parts["when"] = call("AND", guard, parts["when"])
    parts["replace"] = Call(
        "AUTOSPLIT", (dim, parts["tag"], chunk, whole), start=dim.start, end=max(chunk.end, whole.end), name_end=dim.end
    )
    return parts


def parse_arguments(
    text: AnyText, start: int = 0, end: int | None = None
) -> tuple[tuple[Node, ...] | None, list[Diagnostic]]:
    """Expressions with commas between, as the arguments of a macro; None after a finding."""
    faults = Faults(text)
    tokens, _ = tokenize(text.text, start, end)
    parser = Parser(tokens, text, faults)
    args: list[Node] = []
    try:
        while True:
            args.append(parser.expression(""))
            if parser.tokens[parser.at].text != ",":
                break
            parser.at += 1
        parser.expect_end()
    except (Unreadable, EndReached):
        return None, faults.found
    return None if parser.failed else tuple(args), faults.found
