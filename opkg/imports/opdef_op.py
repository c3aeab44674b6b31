"""One op of QNN's OpDef XML, with its supplements for HTP, as an imported op; what has no place in a spec is said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from opkg.imports import opdef_values as values
from opkg.imports.form import ImportedOp, ImportedTensor, Todo
from opkg.imports.naming import Names, op_name
from opkg.imports.opdef_param import ParamMaker
from opkg.imports.opdef_parts import Added, constraint_todo, dropped, tensor_name
from opkg.imports.opdef_quant import quantization_of
from opkg.imports.prose import lines, one_line
from opkg.imports.ties import MOST_COMBINATIONS, Tied, tie
from opkg.imports.xml_tree import Element
from opkg.spec.diagnostics import Diagnostic, error, warning
from opkg.spec.dtypes import DTYPES

GUESS = "float32"


@dataclass(frozen=True, slots=True)
class Typed:
    """The element types of a tensor, and why they are not known."""

    dtypes: tuple[str, ...]
    todos: tuple[Todo, ...]


class OpMaker:
    """One op in the making; `findings` collects what is wrong and what is left out."""

    def __init__(self, element: Element, supplements: Sequence[Added], backends: Sequence[str]) -> None:
        self.element = element
        self.added = [s for s in supplements if s.backend in values.HTP]
        self.others = [s for s in supplements if s.backend not in values.HTP]
        self.backends = backends
        self.findings: list[Diagnostic] = []
        self.names = Names()
        self.comments: list[str] = []
        self.constraints: list[tuple[str, str]] = []

    def op(self) -> ImportedOp | None:
        """The op; None when a spec cannot have it, which a finding says."""
        element = self.element
        origin = element.words("Name")
        inputs, outputs = list(element.all("Input")), list(element.all("Output"))
        for kind in ("Input", "Output", "Parameter"):
            self.twice(list(element.all(kind)), kind)
        if not outputs:
            self.refused("it has no output, and an op of a spec has one")
            return None
        name = op_name(origin)
        if not name:
            self.refused(f"'{origin}' cannot name an op of a spec")
            return None
        if name != origin:
            message = f"op '{origin}' is called '{name}' in the spec: graphs name the op"
            self.findings.append(warning("OPK629", message, element.span, "convert models with the new name"))
        parts = [(part, "Input") for part in inputs] + [(part, "Output") for part in outputs]
        typed = [self.types(part, kind) for part, kind in parts]
        if any(not each.dtypes for each in typed):
            self.refused("it has a tensor of STRING, which no tensor of a spec is")
            return None
        tied = tie([each.dtypes for each in typed])
        variables = self.renamed(parts)
        made = [
            self.tensor(part, kind, called, tied.dtypes[i], typed[i])
            for i, ((part, kind), called) in enumerate(zip(parts, variables, strict=True))
        ]
        ins = tuple(replace(t, shape="") for t in made[: len(inputs)])
        ins = self.positions(ins)
        maker = ParamMaker(self.names, ins, self.added, self.findings)
        params = tuple(p for p in (maker.param(each) for each in element.all("Parameter")) if p is not None)
        outs = self.positions(tuple(self.output(t, ins) for t in made[len(inputs) :]))
        self.constraints += maker.constraints
        summary, description = self.prose()
        return ImportedOp(
            name,
            element.span,
            ins,
            outs,
            params,
            tied.types,
            tied.combinations,
            origin if origin != name else "",
            summary,
            description,
            constraints=tuple(self.constraints),
            comments=tuple(self.above()),
            todos=tuple(self.todos(tied, maker.todos)),
        )

    def refused(self, why: str) -> None:
        message = f"op '{self.element.words('Name')}' is not carried: {why}"
        self.findings.append(warning("OPK632", message, self.element.span))

    def twice(self, parts: Sequence[Element], kind: str) -> None:
        seen: dict[str, Element] = {}
        for part in parts:
            name = tensor_name(part)
            if not name:
                span = part.first("Name").span if part.first("Name") is not None else part.span  # type: ignore[union-attr]
                self.findings.append(error("OPK625", f"this <{kind}> has an empty name", span, "name it"))
            other = seen.setdefault(name, part)
            if other is not part and name:
                message = f"{self.element.words('Name')} has two <{kind}> '{name}'"
                self.findings.append(error("OPK626", message, part.span, f"the first is in line {other.span.line}"))

    def types(self, part: Element, kind: str) -> Typed:
        """Element types; those of supplements for HTP in place of BACKEND_SPECIFIC."""
        found = [values.element_type(each, self.findings) for each in part.all("Datatype")]
        more = [
            values.element_type(each, self.findings)
            for added in self.added
            for own in added.parts(kind, tensor_name(part))
            for each in own.all("Datatype")
        ]
        known = [
            name for name in dict.fromkeys((*found, *more)) if name and name not in (values.BACKEND, values.STRING)
        ]
        todos: list[Todo] = []
        if values.STRING in found and known:
            self.findings.append(dropped("STRING is left out", "no tensor of a spec is one", part.span))
        if not known and values.STRING in found:
            return Typed((), ())
        if values.BACKEND in found and not more:
            there = self.elsewhere(part, kind)
            why = f"BACKEND_SPECIFIC, and no supplement for HTP says which{there}"
            todos.append(Todo("element types", why if known else f"{why}; {GUESS} is a guess", part.span))
        return Typed(tuple(known) or (GUESS,), tuple(todos))

    def elsewhere(self, part: Element, kind: str) -> str:
        """What supplements for other backends say."""
        found = [
            f"{added.backend}'s says {', '.join(each.text for each in own.all('Datatype'))}"
            for added in self.others
            for own in added.parts(kind, tensor_name(part))
            if own.first("Datatype") is not None
        ]
        return f" ({'; '.join(found)})" if found else ""

    def renamed(self, parts: Sequence[tuple[Element, str]]) -> list[str]:
        """Names in the spec: params keep theirs, graphs send them."""
        kept = {tensor_name(param) for param in self.element.all("Parameter")}
        out = []
        for number, (part, kind) in enumerate(parts):
            given = tensor_name(part)
            stem = "x" if kind == "Input" else "y"
            wanted = f"{stem}_{given}" if given in kept else given
            out.append(self.names.take(wanted, f"{stem}{number}"))
        return out

    def tensor(self, part: Element, kind: str, name: str, dtype: str, typed: Typed) -> ImportedTensor:
        shape = part.first("Shape")
        rank = values.word(shape.first("Rank") if shape else None, values.RANKS, "rank", self.findings)
        origin = tensor_name(part)
        more = list(typed.todos)
        text = shape.words("Text") if shape else ""
        if text:
            why = f"the XML says '{one_line(text, 80)}', which nothing checks"
            more.append(Todo("shape", why, shape.first("Text").place))  # type: ignore[union-attr]
        ranks = (int(rank[0]), int(rank[0])) if rank[:1].isdigit() and rank != "0D" else None
        if rank in ("0D", "SCALAR"):
            ranks = (1, 1)
            more.append(Todo("rank", f"{rank} there: a spec has rank 1 of size 1", part.span))
        more += self.remarks(part, kind)
        default = part.first("Default")
        if default is not None:
            why = f"where it is absent it counts as {one_line(default.text, 60)}: a matter of what the op computes"
            more.append(Todo("default", why, default.place))
        optional = part.first("Mandatory") is not None and not values.truth(part.first("Mandatory"), self.findings)
        types = [DTYPES[each] for each in typed.dtypes]
        quant, quant_todos = quantization_of(part, kind, self.added, types, self.findings)
        return ImportedTensor(
            name,
            dtype,
            part.span,
            origin if usable_origin(origin, name) else "",
            shape=("1",) if rank in ("0D", "SCALAR") else "",
            ranks=ranks,
            layout=self.layout(shape, ranks, more),
            optional=optional,
            static=values.truth(part.first("IsStaticTensor"), self.findings),
            variadic=(1, 8) if values.truth(part.first("Repeated"), self.findings) else None,
            quantization=quant,
            description=one_line(part.first("Description").raw, 200) if part.first("Description") else "",  # type: ignore[union-attr]
            todos=(*more, *quant_todos),
        )

    def layout(self, shape: Element | None, ranks: tuple[int, int] | None, todos: list[Todo]) -> str:
        element = shape.first("Layout") if shape is not None else None
        found = values.word(element, values.LAYOUTS, "layout", self.findings)
        if element is None or found in ("", "UNDEFINED"):
            return ""
        if found in ("NONTRIVIAL", values.BACKEND):
            todos.append(Todo("layout", f"'{found}' names no meaning of dimensions", element.place))
            return ""
        if ranks is not None and len(found) not in range(ranks[0], ranks[1] + 1):
            todos.append(Todo("layout", f"{found} does not fit rank {ranks[0]}", element.place))
            return ""
        return found

    def remarks(self, part: Element, kind: str) -> Iterator[Todo]:
        """Constraints, dynamic shapes: text that is never evaluated."""
        name = tensor_name(part)
        own = [
            *part.all("Constraint"),
            *(c for a in self.added for p in a.parts(kind, name) for c in p.all("Constraint")),
        ]
        ids: dict[str, Element] = {}
        for constraint in own:
            ids[constraint.attributes.get("id", "")] = constraint  # a supplement's replaces one of its id
        for constraint in ids.values():
            yield constraint_todo(constraint, self.findings)
        dynamic = part.first("DynamicShape")
        if dynamic is not None:
            why = f"'{one_line(dynamic.words('Text'), 80)}' there, and a spec has no such key"
            yield Todo("dynamic shape", why, dynamic.span)

    def positions(self, tensors: tuple[ImportedTensor, ...]) -> tuple[ImportedTensor, ...]:
        """Tensors as positions allow: one variadic, last, and then none that may be absent."""
        out = list(tensors)
        for i, tensor in enumerate(out[:-1]):
            if tensor.variadic is not None:
                todo = Todo("repeated", "it is not the last: one tensor here", tensor.span)
                out[i] = replace(tensor, variadic=None, todos=(*tensor.todos, todo))
        if out and out[-1].variadic is not None:
            for i, tensor in enumerate(out):
                if tensor.optional:
                    todo = Todo("optional", "beside repeated tensors positions would be ambiguous", tensor.span)
                    out[i] = replace(tensor, optional=False, todos=(*tensor.todos, todo))
        return tuple(out)

    def output(self, tensor: ImportedTensor, inputs: Sequence[ImportedTensor]) -> ImportedTensor:
        """With a shape: that of the first input of its rank, which is a guess; `[...]` where there is none."""
        if tensor.shape:
            return tensor
        like = [t for t in inputs if t.ranks == tensor.ranks and not t.optional]
        shape: str | tuple[str, ...] = f"{like[0].name}.shape" if like else ("...",)
        said = next((todo for todo in tensor.todos if todo.what == "shape"), None)
        guess = f"{like[0].name}.shape is a guess" if like else "no input has its rank"
        why = f"{said.why}; {guess}" if said is not None else f"the XML has none; {guess}"
        others = tuple(todo for todo in tensor.todos if todo.what != "shape")
        return replace(tensor, shape=shape, todos=(*others, Todo("shape", why, said.span if said else tensor.span)))

    def prose(self) -> tuple[str, str]:
        """Summary and description: the first <Description>, its code too."""
        first, *rest = self.element.all("Description")
        for other in rest:
            self.findings.append(
                dropped("a second <Description> is left out", "QNN's reader drops it, too", other.span)
            )
        content = [child.raw for child in first.all("Content")]
        code = [lines(child.raw) for child in first.all("Code")]
        whole = " ".join(" ".join(content).split())
        short = len(whole) <= 200
        summary = one_line(whole) if short else one_line(re.split(r"(?<=[.;])\s", whole)[0], 200)
        more = ([] if short or not whole else [lines("\n".join(content))]) + code
        return summary, "\n".join(more)

    def above(self) -> list[str]:
        """Comments: what has no key in a spec."""
        out = list(self.comments)
        for reference in self.element.all("Reference"):
            words = [reference.attributes.get("Source", ""), reference.attributes.get("Url", ""), reference.text]
            out.append("reference: " + one_line(", ".join(word for word in words if word)))
        if self.backends and not any(backend in values.HTP for backend in self.backends):
            out.append(f"for {', '.join(self.backends)} in the XML, not for HTP")
        translated = self.element.first("UseDefaultTranslation")
        if values.truth(translated, self.findings):
            out.append("UseDefaultTranslation: it replaces QNN's op of this name in converters; a spec does not say so")
        return [comment for comment in out if comment.strip()]

    def todos(self, tied: Tied, more: Sequence[Todo]) -> Iterator[Todo]:
        span = self.element.span
        if tied.shared:
            names = " and ".join(tied.shared)
            yield Todo(
                "types", f"tensors with equal lists share {names}: whether they must agree, the XML does not say", span
            )
        if tied.cut:
            yield Todo(
                "combinations",
                f"more than {MOST_COMBINATIONS} would be allowed, each a kernel: one for each type is a guess",
                span,
            )
        yield from more
        yield Todo("compute or reference", "the XML does not say what the op computes", span)


def usable_origin(origin: str, name: str) -> bool:
    """Whether a remark should give the name in the source: not for `in[0]`, which is called in0."""
    return origin != name and origin.replace("[", "").replace("]", "") != name
