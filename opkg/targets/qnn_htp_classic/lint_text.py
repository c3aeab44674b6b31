"""What is wrong with the frame of a spec's tensor properties and rules; their language is not read here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opkg.spec.diagnostics import Diagnostic, error, nearest, warning
from opkg.spec.model import Op, Rule, Text
from opkg.targets.qnn_htp_classic.properties import MACRO, TERMS, term_name
from opkg.targets.qnn_htp_classic.rules import MACROS, split_arguments

# Terms whose strings are names of tensors.
_OF_TENSORS = frozenset(("Flat", "Crouton", "MainMemory", "Tcm", "PreferTcm", "Fixed", "FixedConstant"))
_INSIDE = re.compile(r"\w+\s*\((.*)\)", re.DOTALL)


def properties(op: Op) -> Iterator[Diagnostic]:
    """Findings in `tensor_properties`."""
    for text in op.tensor_properties:
        code = text.text.rstrip("; \n")
        arguments = [code]
        if term_name(code) == MACRO and (inside := _INSIDE.fullmatch(code)):
            arguments = split_arguments(inside[1])
        elif term_name(code) == "Op" or code.startswith('"'):
            arguments = split_arguments(code)
        elif len(split_arguments(code)) > 1:
            yield error("OPK232", "several terms in one entry", text.span, "write each as an entry of its own")
            continue
        for argument in arguments:
            yield from _term(op, text, argument)


def _term(op: Op, text: Text, term: str) -> Iterator[Diagnostic]:
    name = term_name(term)
    if name in ("", "Op"):
        return
    if name not in TERMS:
        near = nearest(name, TERMS)
        hint = f"did you mean '{near}'?" if near else f"terms: {', '.join(TERMS)}"
        yield warning("OPK232", f"'{name}' is no known tensor property", text.span, hint)
    if name not in _OF_TENSORS:
        return
    known = ["*", "...", *(t.name for t in op.tensors), *(p.name for p in op.params)]
    if text.text.lstrip().startswith((MACRO, "Op", '"')):
        return  # a whole declaration names its tensors itself
    for tensor in re.findall(r'"([^"]*)"', term):
        if tensor not in known:
            near = nearest(tensor, known)
            hint = f"did you mean '{near}'?" if near else f"tensors: {', '.join(known[2:])}"
            yield error("OPK233", f"no tensor '{tensor}'", text.span, hint)


def rules(op: Op) -> Iterator[Diagnostic]:
    """Findings in the frame of `rules`: macro name and number of arguments."""
    for rule in op.rules:
        if rule.macro is not None:
            yield from _macro(rule.macro)
        else:
            yield from _parts(rule)


def _macro(text: Text) -> Iterator[Diagnostic]:
    name = term_name(text.text)
    if name not in MACROS:
        near = nearest(name, tuple(MACROS)) or "DEF_PACKAGE_OPTIMIZATION"
        yield error("OPK234", f"'{name}' is no macro for rules", text.span, f"did you mean '{near}'?")
        return
    inside = _INSIDE.fullmatch(text.text.rstrip("; \n"))
    count = len(split_arguments(inside[1])) if inside else 0
    if count != MACROS[name]:
        message = f"{name} takes {MACROS[name]} arguments, {count} given"
        yield error("OPK234", message, text.span, "pass, [flags,] match, constraint, replacement")


def _parts(rule: Rule) -> Iterator[Diagnostic]:
    named = (("pass", rule.pass_), ("flags", rule.flags), ("match", rule.match), ("when", rule.when))
    for part, text in (*named, ("replace", rule.replace)):
        if text is not None and len(split_arguments(text.text)) > 1:
            message = f"'{part}' has a comma outside of brackets, which would end the macro's argument"
            yield error("OPK234", message, text.span, "a part of a rule is one expression")
