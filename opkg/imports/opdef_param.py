"""One <Parameter> of QNN's OpDef XML as a param of a spec: type, shape, default, enum."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opkg.imports import opdef_values as values
from opkg.imports.form import ImportedParam, ImportedTensor, Todo
from opkg.imports.naming import Names, usable
from opkg.imports.opdef_parts import Added, constraint_todo, tensor_name
from opkg.imports.prose import one_line
from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, Severity, error, warning
from opkg.spec.dtypes import DTYPES, Kind

_ZERO = {Kind.FLOAT: "0.0", Kind.BOOL: "false"}


class ParamMaker:
    """The params of one op; `todos` about params that are left out, `constraints` about those with one value only."""

    def __init__(
        self, names: Names, inputs: Sequence[ImportedTensor], added: Sequence[Added], findings: list[Diagnostic]
    ) -> None:
        self.names, self.inputs, self.added, self.findings = names, inputs, added, findings
        self.todos: list[Todo] = []
        self.constraints: list[tuple[str, str]] = []
        self.enum_values: dict[str, int] = {}

    def param(self, part: Element) -> ImportedParam | None:
        """The param; None when its type is none of a param's."""
        origin = tensor_name(part)
        todos: list[Todo] = []
        dtype = self.dtype(part, origin, todos)
        if not dtype:
            return None
        name = self.names.take(origin, "p")
        if name != origin:
            message = f"param '{origin}' is called '{name}' in the spec: graphs send '{origin}'"
            hint = "rename it where graphs are made, or keep the name in a package of its own"
            self.findings.append(warning("OPK629", message, part.span, hint))
        shape_element = part.first("Shape")
        rank_element = shape_element.first("Rank") if shape_element is not None else None
        rank = values.word(rank_element, values.RANKS, "rank", self.findings)
        enum = self.enum(part, dtype, rank, todos)
        given = part.first("Default")
        shape, default = None, None
        if rank in ("SCALAR", "0D", ""):
            default = self.scalar(part, dtype, enum, todos)
        else:
            listed = values.tensor_default(given.text, dtype) if given is not None else None
            shape = self.shape(name, rank, shape_element, listed, todos, part)
            default = self.listed(part, listed, todos)
        self.restricted(part, name, default, shape is not None, todos)
        for constraint in [*part.all("Constraint"), *self.more(origin, "Constraint")]:
            todos.append(constraint_todo(constraint, self.findings))
        about = part.first("Description")
        return ImportedParam(
            name,
            dtype,
            part.span,
            origin if name != origin else "",
            shape,
            default,
            enum,
            description=one_line(about.raw, 200) if about is not None else "",
            todos=tuple(todos),
        )

    def more(self, origin: str, child: str) -> list[Element]:
        """What supplements say of the param."""
        return [each for added in self.added for own in added.parts("Parameter", origin) for each in own.all(child)]

    def dtype(self, part: Element, origin: str, todos: list[Todo]) -> str:
        """The one element type that a param has; "" when it can have none."""
        stated = [values.element_type(each, self.findings) for each in part.all("Datatype")]
        added = [values.element_type(each, self.findings) for each in self.more(origin, "Datatype")]
        found = [name for name in dict.fromkeys((*stated, *added)) if name and name != values.BACKEND]
        fit = [name for name in found if name in DTYPES and not DTYPES[name].quantized]
        if values.STRING in found and not fit:
            self.todos.append(Todo(f"param '{origin}'", "a STRING, and no param of a spec is one: left out", part.span))
            return ""
        if len(fit) == 1 and len(found) == 1:
            return fit[0]
        if fit:
            why = f"one of {', '.join(found)} there, and a param has one: {fit[0]} is a guess"
        elif found:
            why = f"{', '.join(found)} there, and a param has a real or whole one: float32 is a guess"
        else:
            why = "BACKEND_SPECIFIC, and no supplement for HTP says which; float32 is a guess"
        todos.append(Todo("element type", why, part.span))
        return fit[0] if fit else "float32"

    def enum(self, part: Element, dtype: str, rank: str, todos: list[Todo]) -> tuple[tuple[str, int], ...]:
        element = part.first("Enumeration")
        if element is None:
            return ()
        whole = DTYPES[dtype].kind in (Kind.INT, Kind.UINT)
        if DTYPES[dtype].kind is Kind.FLOAT:
            self.findings.append(error("OPK625", f"an enumeration of {dtype}", element.span, "its type is UINT_32"))
        if not whole:
            words = ", ".join(each.text for each in element.all("Enum"))
            todos.append(Todo("enum", f"{words} there, and an enum of a spec is of an int type", element.span))
            return ()
        if rank != "SCALAR":
            why = f"QNN's reader drops the enumeration of a param of rank {rank}"
            self.findings.append(Diagnostic("OPK627", why, element.span, "it is kept here", Severity.INFO))
        out: dict[str, int] = {}
        for number, each in enumerate(element.all("Enum")):
            name = usable(each.text, f"value{number}")
            if each.text in [other.text for other in list(element.all("Enum"))[:number]]:
                self.findings.append(
                    error("OPK626", f"'{each.text}' stands twice in this enum", each.place, "delete one")
                )
                continue
            while name in out or self.enum_values.get(name, number) != number or name in self.names.taken:
                name += "_value"
            if name != each.text:
                message = f"enum value '{each.text}' is called '{name}' in the spec; its number is the same"
                self.findings.append(Diagnostic("OPK629", message, each.place, "", Severity.INFO))
            out[name] = self.enum_values[name] = number
        return tuple(out.items())

    def scalar(self, part: Element, dtype: str, enum: Sequence[tuple[str, int]], todos: list[Todo]) -> str | None:
        """The default of a scalar; None makes it mandatory."""
        mandatory = values.truth(part.first("Mandatory"), self.findings)
        element = part.first("Default")
        if mandatory:
            if element is not None:
                why = f"Mandatory is true, and Default '{one_line(element.text, 40)}' stands there too: mandatory here"
                todos.append(Todo("default", why, element.place))
            return None
        if element is None:
            if enum or dtype == "bool8":  # as QNN's reader takes it
                return enum[0][0] if enum else "false"
            message = f"param '{part.words('Name')}' is optional and has no <Default>"
            self.findings.append(error("OPK625", message, part.span, "say the value that it has when it is absent"))
            return None
        if enum:
            return self.enum_default(element, part, enum)
        found = values.scalar_default(element.text, dtype)
        if found.text is not None:
            if found.why:
                todos.append(Todo("default", found.why, element.place))
            return found.text
        text = element.text.replace(" ", "")
        if dtype != "bool8" and re.fullmatch(r"N(?:-\d+)?", text):
            return self.of_rank(text, element, todos)
        zero = _ZERO.get(DTYPES[dtype].kind, "0")
        todos.append(Todo("default", f"{found.why}; {zero} is a guess", element.place))
        return zero

    def enum_default(self, element: Element, part: Element, enum: Sequence[tuple[str, int]]) -> str | None:
        named = part.first("Enumeration")
        texts = [each.text for each in named.all("Enum")] if named is not None else []
        text = element.text.replace(" ", "")
        if text in texts:
            return enum[texts.index(text)][0]
        if text.isdigit() and int(text) < len(enum):
            return enum[int(text)][0]
        hint = f"one of {', '.join(texts)}, or 0 to {len(texts) - 1}"
        self.findings.append(error("OPK625", f"'{text}' is no value of this enum", element.place, hint))
        return enum[0][0]

    def of_rank(self, text: str, element: Element, todos: list[Todo]) -> str | None:
        """`N-1`: in terms of the first input's rank, where that is fixed."""
        first = self.inputs[0] if self.inputs else None
        if first is not None and first.ranks is not None and not first.optional:
            less = text.removeprefix("N")
            return f"rank({first.name}) - {less[1:]}" if less else f"rank({first.name})"
        why = (
            f"'{text}' with the rank of the first input as N, which kernels do not see where it varies: mandatory here"
        )
        todos.append(Todo("default", why, element.place))
        return None

    def listed(self, part: Element, found: values.Given | None, todos: list[Todo]) -> str | None:
        """The default of a tensor param."""
        element = part.first("Default")
        mandatory = values.truth(part.first("Mandatory"), self.findings)
        if found is None or element is None:
            if not mandatory:
                message = f"param '{part.words('Name')}' is optional and has no <Default>"
                self.findings.append(error("OPK625", message, part.span, "say the value that it has when it is absent"))
            return None
        if mandatory:
            why = f"Mandatory is true, and Default '{one_line(element.text, 40)}' stands there too: mandatory here"
            todos.append(Todo("default", why, element.place))
            return None
        if found.text is None:
            todos.append(Todo("default", f"{found.why}: mandatory here", element.place))
        return found.text

    def shape(
        self,
        name: str,
        rank: str,
        shape: Element | None,
        default: values.Given | None,
        todos: list[Todo],
        part: Element,
    ) -> tuple[str, ...]:
        """The dimensions of a tensor param: of its text where that is plain, of a nested default, else one that is open."""
        count = int(rank[0]) if rank[:1].isdigit() else 1
        text = shape.words("Text") if shape is not None else ""
        dims = [dim.strip() for dim in text.strip("[]").split(",")] if text else []
        if rank == "ND":
            todos.append(Todo("shape", "any rank there; a param of a spec has one: 1 is a guess", part.span))
        open_ = f"{name}_len"
        if len(dims) == count and sum(not dim.isdigit() for dim in dims) <= 1 and all(dims) and "0" not in dims:
            return tuple(dim if dim.isdigit() else open_ for dim in dims)
        if text:
            why = f"the XML says '{one_line(text, 80)}', which is no list of {count}"
            todos.append(Todo("shape", why, part.span))
        if count == 1:
            return (open_,)
        nested = _extents(default.text) if default is not None and default.text else ()
        if len(nested) == count:
            return tuple(str(extent) for extent in nested)
        todos.append(Todo("shape", f"{rank} there, and no extents; 2 in all but the first is a guess", part.span))
        return (open_, *["2"] * (count - 1))

    def restricted(self, part: Element, name: str, default: str | None, many: bool, todos: list[Todo]) -> None:
        """OnlyDefaultSupported: a constraint that the value is the default."""
        for element in self.more(tensor_name(part), "OnlyDefaultSupported"):
            if not values.truth(element, self.findings):
                continue
            if default is None or many:
                todos.append(
                    Todo("constraint", "only its default is supported on HTP, and none is known here", element.span)
                )
            else:
                self.constraints.append((f"{name} == {default}", f"HTP supports only the default of {name}"))


def _extents(text: str) -> tuple[int, ...]:
    """`[[0, 0], [1, 1]]` -> (2, 2)."""
    import json

    found = json.loads(re.sub(r"(?<![\w.])\+", "", text))
    out = []
    while isinstance(found, list) and found:
        out.append(len(found))
        found = found[0]
    return tuple(out)
