"""Element types of an op: type variables, the types of its tensors, the allowed combinations."""

from __future__ import annotations

from itertools import product

from opkg.spec.diagnostics import nearest
from opkg.spec.dtypes import DTYPES, FOREIGN_NAMES, DType
from opkg.spec.fields import Fields
from opkg.spec.model import Combination, TypeRef, TypeVar
from opkg.spec.nodes import Mapping, Node, Scalar, Sequence
from opkg.spec.scalars import Findings, take_entries, take_list, take_scalar

MAX_COMBINATIONS = 256


def take_dtype(node: Node, findings: Findings, variables: tuple[str, ...] = ()) -> DType | None:
    """One element type."""
    scalar = take_scalar(node, "an element type", findings)
    if scalar is None:
        return None
    row = DTYPES.get(scalar.text)
    if row is None:
        unknown_dtype(scalar, findings, variables)
    return row


def unknown_dtype(scalar: Scalar, findings: Findings, variables: tuple[str, ...] = ()) -> None:
    """The finding of a name that is no element type (and no type variable)."""
    text = scalar.text
    known = (*variables, *DTYPES)
    near = FOREIGN_NAMES.get(text) or FOREIGN_NAMES.get(text.lower()) or nearest(text, known)
    hint = f"did you mean '{near}'?" if near else "element types: " + ", ".join(DTYPES)
    if variables and not near:
        hint = f"type variables: {', '.join(variables)}; {hint}"
    findings.error("OPK127", f"unknown element type '{text[:40]}'", scalar.span, hint)


def take_dtypes(node: Node, what: str, findings: Findings) -> tuple[DType, ...]:
    """One element type or a list of different ones."""
    found: list[DType] = []
    items = take_list(node, what, findings, or_one=True)
    for item in items:
        dtype = take_dtype(item, findings)
        if dtype is None:
            continue
        if dtype in found:
            findings.error("OPK135", f"element type '{dtype}' stands twice", item.span, "delete one")
            continue
        found.append(dtype)
    if isinstance(node, Sequence) and not items:
        findings.error("OPK134", f"{what} has no element type", node.span, "name at least one")
    return tuple(found)


class OpTypes:
    """The type variables of one op while it is read; tensors with a list of types add their own."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.vars: dict[str, TypeVar] = {}
        self.used: set[str] = set()
        self.broken = False

    def read_vars(self, node: Node | None) -> None:
        """The record `types:`."""
        for name, (key, value) in take_entries(node, "types", self.findings).items():
            before = len(self.findings.list)
            dtypes = take_dtypes(value, f"type variable '{name}'", self.findings)
            self.broken |= len(self.findings.list) > before
            self.vars[name] = TypeVar(name, dtypes, key.span)

    def read_ref(self, tensor: str, node: Node | None) -> TypeRef | None:
        """The `dtype:` of a tensor; None after a finding."""
        if node is None:
            self.broken = True
            return None
        before = len(self.findings.list)
        if isinstance(node, Sequence):
            dtypes = take_dtypes(node, f"'{tensor}'", self.findings)
            if len(self.findings.list) > before:
                self.broken = True
                return None
            if len(dtypes) == 1:
                return TypeRef(None, dtypes[0])
            self.vars[tensor] = TypeVar(tensor, dtypes, node.span)
            self.used.add(tensor)
            return TypeRef(tensor, None)
        scalar = take_scalar(node, "an element type", self.findings)
        if scalar is None:
            self.broken = True
            return None
        if scalar.text in self.vars:
            self.used.add(scalar.text)
            return TypeRef(scalar.text, None)
        dtype = DTYPES.get(scalar.text)
        if dtype is None:
            self.broken = True
            unknown_dtype(scalar, self.findings, tuple(self.vars))
            return None
        return TypeRef(None, dtype)

    def check_used(self) -> None:
        """Type variables that no tensor has."""
        for name, var in self.vars.items():
            if name not in self.used and not self.broken:
                message = f"type variable '{name}' is the type of no input or output"
                self.findings.error("OPK181", message, var.span, "use it as a dtype or delete it")
                self.broken = True

    def combinations(self, node: Node | None, fields: Fields) -> tuple[Combination, ...]:
        """The product of the type variables, or the listed part of it; empty when the types are broken."""
        if node is not None:
            return self._listed(node)
        count = 1
        for var in self.vars.values():
            count *= len(var.dtypes)
        if count > MAX_COMBINATIONS:
            message = f"{count} combinations of element types; at most {MAX_COMBINATIONS} are allowed"
            self.findings.error("OPK182", message, fields.at("types"), "list the ones you have under 'combinations'")
            self.broken = True
        if self.broken:
            return ()
        names = tuple(self.vars)
        every = product(*[var.dtypes for var in self.vars.values()])
        return tuple([Combination(tuple(zip(names, dtypes, strict=True))) for dtypes in every])

    def _listed(self, node: Node) -> tuple[Combination, ...]:
        findings = self.findings
        found: list[Combination] = []
        items = take_list(node, "combinations", findings)
        if isinstance(node, Sequence) and not items:
            findings.error("OPK134", "the list of combinations is empty", node.span, "delete it or name one")
            self.broken = True
        every = [(item, self._one(item)) for item in items]
        self.broken |= any(combination is None for _, combination in every)
        for item, combination in every:
            if combination is None:
                continue
            if combination in found:
                findings.error("OPK182", f"combination {combination} stands twice", item.span, "delete one")
            else:
                found.append(combination)
        return tuple(found)

    def _one(self, node: Node) -> Combination | None:
        findings = self.findings
        chosen: dict[str, DType] = {}
        before = len(findings.list)
        for name, (key, value) in take_entries(node, "a combination", findings).items():
            var = self.take_var(name, key)
            dtype = take_dtype(value, findings)
            if var is None or dtype is None:
                continue
            if dtype not in var.dtypes and not self.broken:
                message = f"'{dtype}' is not among the types of '{name}'"
                findings.error("OPK182", message, value.span, f"add it to '{name}' or choose one of its types")
            chosen[name] = dtype
        missing = [name for name in self.vars if name not in chosen]
        if missing and len(findings.list) == before and isinstance(node, Mapping):
            message = f"this combination lacks '{missing[0]}'"
            findings.error("OPK182", message, node.span, "a combination gives every type variable a type")
        if len(findings.list) > before:
            return None
        return Combination(tuple([(name, chosen[name]) for name in self.vars]))

    def take_var(self, name: str, key: Scalar) -> TypeVar | None:
        """The type variable of a key of `when:` or a combination; None after a finding."""
        var = self.vars.get(name)
        if var is None:
            near = nearest(name, tuple(self.vars))
            hint = f"did you mean '{near}'?" if near else "type variables: " + (", ".join(self.vars) or "none")
            self.findings.error("OPK181", f"there is no type variable '{name}'", key.span, hint)
        return var

    def read_when(self, node: Node | None) -> dict[str, tuple[DType, ...]] | None:
        """A `when:` record: type variable -> allowed types; None after a finding."""
        findings = self.findings
        before = len(findings.list)
        result: dict[str, tuple[DType, ...]] = {}
        for name, (key, value) in take_entries(node, "when", findings).items():
            var = self.take_var(name, key)
            dtypes = take_dtypes(value, f"'{name}'", findings)
            for dtype in dtypes:
                if var is not None and dtype not in var.dtypes and not self.broken:
                    message = f"'{dtype}' is not among the types of '{name}'"
                    findings.error(
                        "OPK185", message, value.span, "types of " + name + ": " + ", ".join(map(str, var.dtypes))
                    )
            result[name] = dtypes
        return result if len(findings.list) == before else None
