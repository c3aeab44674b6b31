"""What names mean in a generated `validate_...` function: variables, where dimensions are read, what may be absent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Name, Rest, ShapeList, Tree, Type
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.python_text import items_of
from opkg.spec.requirements import requirements
from opkg.targets.qnn_common.names import local
from opkg.targets.qnn_common.printer import ValidationFrame, show

MAX_RANK = 5  # what HTP kernels can take (facts/qhpi.md: flat 4 and flat 5 ran)
Owner = TensorSpec | ParamSpec
Bindings = dict[str, list[tuple[Owner, int, int]]]


@dataclass(frozen=True)
class Names:
    """The names of one op."""

    op: Op

    @cached_property
    def variadic(self) -> tuple[TensorSpec, ...]:
        return tuple(t for t in self.op.tensors if t.variadic)

    @cached_property
    def frame(self) -> ValidationFrame:
        values: dict[str, Type] = dict.fromkeys(self.op.dims, Type.INT)
        values |= dict.fromkeys(self.op.rests, Type.SHAPE)
        values |= {p.name: param_type(p) for p in self.op.params if p.shape is None}
        shaped = {p.name: param_type(p) for p in self.op.params if p.shape is not None}
        tensors = {t.name: local(t.name) for t in self.op.tensors}
        lists = {t.name: count_of(t) for t in self.variadic}
        type_vars: dict[str, str] = {}
        for tensor in sorted(self.op.tensors, key=lambda t: t.optional):
            if tensor.dtype.var and tensor.dtype.var not in tensors:
                type_vars.setdefault(tensor.dtype.var, local(tensor.name))
        return ValidationFrame(values, tensors, shaped, lists, type_vars)

    @cached_property
    def bindings(self) -> Bindings:
        """Per named dimension or run: where it can be read, (tensor, first, after), up to the first sure place."""
        found: Bindings = {name: [] for name in (*self.op.dims, *self.op.rests)}
        closed: set[str] = set()
        for owner in sorted(self.op.inputs, key=lambda t: t.optional) + list(self.op.params):
            for name, first, after in places_of(owner):
                if name in found and name not in closed and not any(o is owner for o, _, _ in found[name]):
                    found[name].append((owner, first, after))
                    if isinstance(owner, ParamSpec) or not owner.optional:
                        closed.add(name)
        return found

    @cached_property
    def unsure(self) -> frozenset[str]:
        """Names that a call may leave unbound."""
        places = [(name, owner) for name, found in self.bindings.items() for owner, _, _ in found]
        return frozenset(self.bindings) - {n for n, o in places if isinstance(o, TensorSpec) and not o.optional}

    def _bind(self, name: str, places: list[tuple[Owner, int, int]]) -> str:
        run = name in self.op.rests
        text = "opkg::Shape::unbound()" if run else "-1"
        for owner, first, after in reversed(places):
            variable = local(owner.name)
            if isinstance(owner, ParamSpec):
                text = f"check_.open_dim({variable}, {self._others(owner, name)})"
                continue
            value = f"{variable}.shape().part({first}, {after})" if run else f"{variable}.dim({first})"
            text = f"{variable} ? {value} : {text}" if owner.optional else value
        return f"const {'opkg::Shape' if run else 'int64_t'} {local(name)} = {text};"

    def _others(self, param: ParamSpec, name: str) -> str:
        assert param.shape is not None
        assert isinstance(param.shape.tree, ShapeList)
        items = tuple(item for item in param.shape.tree.items if item != Name(name))
        return show(ShapeList(items), self.frame).text

    def _guards(self, tree: Tree) -> list[tuple[str, str]]:
        """(name, test) of all that an expression cannot do without and that a call may lack."""
        optional = {t.name for t in self.op.inputs if t.optional}
        out = []
        for name in requirements(tree):
            if name in optional:
                out.append((name, f"bool({local(name)})"))
            elif name in self.unsure:
                out.append((name, f"{local(name)}.valid" if name in self.op.rests else f"{local(name)} >= 0"))
        return out

    def _guarded(self, tree: Tree, statement: str, known: Collection[str] = ()) -> str:
        tests = [test for name, test in self._guards(tree) if name not in known]
        return f"if ({' && '.join(tests)}) {statement}" if tests else statement

    def _binds(self, name: str, tensor: TensorSpec, first: int) -> bool:
        """Whether this is the place the name is read from, in every call."""
        places = self.bindings.get(name, [])
        return bool(places) and places[0][0] is tensor and places[0][1] == first and not tensor.variadic


def places_of(owner: Owner) -> list[tuple[str, int, int]]:
    """The names in a shape list, with their places."""
    tree = owner.shape.tree if owner.shape is not None else None
    if not isinstance(tree, ShapeList):
        return []
    out = []
    for item, first, after in items_of(tree):
        name = item.id if isinstance(item, Name) else item.name if isinstance(item, Rest) else None
        if name is not None:
            out.append((name, first, after))
    return out


def count_of(tensor: TensorSpec) -> str:
    """The variable with the number of tensors of a variadic input or output."""
    return f"{local(tensor.name)}_count_"


def param_type(param: ParamSpec) -> Type:
    kinds = {Kind.FLOAT: Type.FLOAT, Kind.BOOL: Type.BOOL}
    return kinds.get(param.dtype.kind, Type.INT)
