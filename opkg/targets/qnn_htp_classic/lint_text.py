"""What is wrong with the loose terms of a spec's tensor properties, which are about the op's own tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic, Span, error, nearest, warning
from opkg.spec.model import Op, Text
from opkg.targets.qnn_htp_classic.properties import arguments_of, names_op

if TYPE_CHECKING:
    from opkg.rules.syntax import Node

# Terms whose strings are names of tensors, and the others; a generation of SDKs may not have one.
_OF_TENSORS = ("Flat", "Crouton", "MainMemory", "Tcm", "PreferTcm", "Fixed", "FixedConstant")
_OTHERS = (
    *("UnalignedOk", "CroutonIf", "WhenFitsIfTCM", "EarlyCrouton", "Rename", "FlatAboveArg", "TilingOnly", "INVARIANT"),
    "Outputs",
)
TERMS = (*_OF_TENSORS, *_OTHERS)


def properties(op: Op) -> Iterator[Diagnostic]:
    """Findings in `tensor_properties`."""
    for text in op.tensor_properties:
        arguments = arguments_of(text)
        if arguments and not names_op(arguments[0]):
            for term in arguments:
                yield from _term(op, text, term)


def _term(op: Op, text: Text, term: Node) -> Iterator[Diagnostic]:
    from opkg.rules.syntax import Call, Name, Str

    name = term.name if isinstance(term, Call) else term.text if isinstance(term, Name) else ""
    if name not in TERMS:
        near = nearest(name, TERMS)
        hint = f"did you mean '{near}'?" if near else f"terms: {', '.join(TERMS)}"
        yield warning("OPK232", f"'{name}' is no known tensor property", _span(text, term), hint)
    if name not in _OF_TENSORS or not isinstance(term, Call):
        return
    known = ["*", "...", *(t.name for t in op.tensors), *(p.name for p in op.params)]
    for tensor in term.args:
        if isinstance(tensor, Str) and tensor.value not in known:
            near = nearest(tensor.value, known)
            hint = f"did you mean '{near}'?" if near else f"tensors: {', '.join(known[2:])}"
            yield error("OPK233", f"no tensor '{tensor.value}'", _span(text, tensor), hint)


def _span(text: Text, node: Node) -> Span:
    from opkg.rules.from_spec import source_of

    return source_of(text).span(node.start, node.end)
