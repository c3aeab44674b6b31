"""What stands where in QNN's OpDef XML: one table of elements, and the check of a document against it.

Source of the facts: the schema, reader and generator of QNN 2.25 (measured), `UseQHPI` of newer ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, error, nearest, warning

MANY = 1 << 30


class Child(NamedTuple):
    """An element that may stand in another: its kind (its name, unless it differs by where it stands), least and most."""

    kind: str
    least: int = 0
    most: int = 1

    @property
    def name(self) -> str:
        return self.kind.partition("@")[0]


class Kind(NamedTuple):
    """What an element has: attributes (True: required) and children in order. `text`: text directly inside."""

    children: tuple[Child, ...] = ()
    attributes: tuple[tuple[str, bool], ...] = ()
    text: bool = False
    ordered: bool = True


def _part(*more: Child) -> Kind:
    """Input, Output and Parameter of an op."""
    own = (
        Child("Name", 1), Child("Description"), Child("Constraint", 0, MANY), Child("Mandatory", 1),
        Child("Datatype", 1, MANY), Child("Shape", 1), Child("Default"),
    )  # fmt: skip
    return Kind((*own, *more))


def _added() -> Kind:
    """Input, Output and Parameter of a supplement."""
    return Kind(
        (
            Child("Name", 1), Child("Constraint", 0, MANY), Child("Datatype", 0, MANY), Child("QuantParam", 0, MANY),
            Child("Shape@added"), Child("OnlyDefaultSupported"),
        )
    )  # fmt: skip


_TEXT = Kind(text=True)
ELEMENTS: dict[str, Kind] = {
    "OpDefCollection": Kind(
        (Child("OpDefList", 1), Child("SupplementalOpDefList", 0, MANY)),
        (("PackageName", True), ("Domain", True), ("Version", True), ("UseQHPI", False)),
    ),
    "OpDefList": Kind((Child("OpDef", 1, MANY),), (("Version", False),)),
    "SupplementalOpDefSpecification": Kind((Child("SupplementalOpDefList", 1, MANY),)),
    "SupplementalOpDefList": Kind(
        (Child("SupportedOps"), Child("SupplementalOpDef", 1, MANY)), (("Backend", True), ("Runtime", False))
    ),
    "SupportedOps": Kind((Child("OpName", 1, MANY),)),
    "OpDef": Kind(
        (
            Child("Name", 1), Child("Description", 1, MANY), Child("Reference", 0, MANY), Child("Input", 1, MANY),
            Child("Output", 0, MANY), Child("Parameter", 0, MANY), Child("UseDefaultTranslation"),
            Child("SupportedBackend", 1, MANY),
        )
    ),
    "Description": Kind((Child("Content", 0, MANY), Child("Code", 0, MANY)), ordered=False),
    "Reference": Kind((), (("Source", False), ("Url", False)), text=True),
    "Input": _part(Child("Repeated"), Child("DynamicShape"), Child("IsStaticTensor")),
    "Output": _part(Child("Repeated"), Child("DynamicShape")),
    "Parameter": _part(Child("Enumeration")),
    "DynamicShape": Kind((Child("Text"),)),
    "Enumeration": Kind((Child("Enum", 1, MANY),)),
    "Shape": Kind((Child("Rank", 1), Child("Layout"), Child("Text"))),
    "Constraint": Kind((Child("Code"),), (("id", True), ("Type", True)), text=True),
    "SupplementalOpDef": Kind(
        (Child("Name", 1), Child("Input@added", 0, MANY), Child("Output@added", 0, MANY), Child("Parameter@added", 0, MANY))
    ),
    "Input@added": _added(),
    "Output@added": _added(),
    "Parameter@added": _added(),
    "Shape@added": Kind((Child("Layout", 0, MANY), Child("Text"))),
    "QuantParam": Kind(
        (
            Child("Encoding", 1, 4), Child("Axis", 0, MANY), Child("Symmetric"), Child("Scale"), Child("Offset"),
            Child("Min"), Child("Max"), Child("IsMathInvariant"),
        )
    ),
}  # fmt: skip
ROOTS = ("OpDefCollection", "OpDefList", "SupplementalOpDefList", "SupplementalOpDefSpecification")


def check_grammar(root: Element) -> list[Diagnostic]:
    """Elements and attributes that are unknown, missing, too many or out of order; all of them."""
    if root.name not in ROOTS:
        near = nearest(root.name, ROOTS)
        hint = f"did you mean <{near}>?" if near else f"the root is one of {', '.join(ROOTS)}"
        if root.name == "OpDef":
            hint = "put it into <OpDefCollection ...><OpDefList>"
        return [error("OPK624", f"<{root.name}> is no root of OpDef XML", root.span, hint)]
    return list(_checked(root, root.name))


def _checked(element: Element, kind_name: str) -> Iterator[Diagnostic]:
    kind = ELEMENTS.get(kind_name, _TEXT)
    yield from _attributes(element, kind)
    known = {child.name: child for child in kind.children}
    order = list(known)
    counts = dict.fromkeys(known, 0)
    furthest = 0
    if element.text and not kind.text:
        hint = "text stands in <Content>" if element.name == "Description" else ""
        yield error("OPK624", f"<{element.name}> has text of its own", element.place, hint)
    for child in element.children:
        if child.name not in known:
            yield _unknown(child, element, order)
            continue
        counts[child.name] += 1
        at = order.index(child.name)
        if kind.ordered and at < furthest:
            message = f"<{child.name}> stands behind <{order[furthest]}>: QNN's own generator refuses that"
            yield warning("OPK624", message, child.span, f"the order is {', '.join(order)}")
        furthest = max(furthest, at)
        if counts[child.name] == known[child.name].most + 1:
            most = known[child.name].most
            yield error("OPK624", f"<{element.name}> has more than {most} <{child.name}>", child.span, "delete one")
        yield from _checked(child, known[child.name].kind)
    for name, found in counts.items():
        if not found and known[name].least:
            yield error("OPK624", f"<{element.name}> has no <{name}>", element.span, f"<{name}> is required in it")


def _unknown(child: Element, parent: Element, known: list[str]) -> Diagnostic:
    near = nearest(child.name, known)
    hint = (
        f"did you mean <{near}>?" if near else f"in it stand {', '.join(known)}" if known else "only text stands in it"
    )
    return error("OPK624", f"<{parent.name}> has no element <{child.name}>", child.span, hint)


def _attributes(element: Element, kind: Kind) -> Iterator[Diagnostic]:
    known = [name for name, _ in kind.attributes]
    for name in element.attributes:
        if name not in known and not name.startswith(("xmlns", "xsi:")):
            near = nearest(name, known)
            hint = (
                f"did you mean '{near}'?" if near else f"its attributes: {', '.join(known)}" if known else "it has none"
            )
            span = element.attribute_spans[name]
            yield error("OPK624", f"<{element.name}> has no attribute '{name}'", span, hint)
    for name, required in kind.attributes:
        if required and name not in element.attributes:
            hint = f'{name}="..."' + (" (it may be empty)" if name in ("Domain", "Version") else "")
            yield error("OPK624", f"<{element.name}> has no attribute '{name}'", element.span, hint)
