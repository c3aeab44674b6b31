"""Computations on elements that are moved, as elementwise kernels over parts of tensors (opkg/seen.h).

What moves elements becomes views of inputs: slices, transposes and reshapes are put in front of the arithmetic on them, and
arithmetic on what is joined is done for each part by itself, which writes its own part of the output. Then nothing
is left that moves. What cannot be a view stays as it is (None).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import MOVES, REDUCE, SCAN, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.portable.axes import Refused
from opkg.kernels.portable.expressions import Names
from opkg.kernels.portable.moves import Moves, axis_text, chain, numbers_text
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import names_of_params
from opkg.spec.compute.shaping import is_view

_TOGETHER = 2  # parts that are computed in one pass
_OWN = "give one of them an op of its own"
_BEHIND = "what is moved behind reductions is an output: n * reshape(g, (groups, -1)) first, then reshape"
_TENSORS = frozenset(("input", "param"))
_VIEWS = frozenset(("move_slice", "move_transpose"))


class _Stays(Exception):
    """Something that cannot be a view: what it is, and the operation."""

    def __init__(self, what: str, node: Node) -> None:
        super().__init__(what)
        self.what, self.node = what, node
        self.hint = _BEHIND if node.op in REDUCE | SCAN else _OWN


@dataclass(frozen=True, slots=True)
class _Join:
    """Values one after another; `name` of the object that knows their sizes."""

    name: str
    parts: tuple[_Value, ...]


_Value = int | _Join


def seen(snippet: Snippet, taken: tuple[str, ...]) -> tuple[Snippet, ...] | None:
    """The elementwise kernels that compute the outputs of a snippet which moves elements, one after another; None where
    there are none. `taken`: names of the op's tensors and params."""
    try:
        return _Seeing(snippet, taken).snippets()
    except _Stays:
        return None


def check_seen(snippet: Snippet, taken: tuple[str, ...]) -> None:
    """Raises Refused where seen() gives None."""
    try:
        _Seeing(snippet, taken).snippets()
    except _Stays as failure:
        raise Refused(failure.what, failure.node, failure.hint) from None


class _Seeing:
    def __init__(self, snippet: Snippet, taken: tuple[str, ...]) -> None:
        self.snippet, self.graph = snippet, snippet.graph
        self.names = Names((*taken, "op", "opkg", "part"))
        self.nodes = Nodes(share=True)
        self.leaves: dict[str, str] = {}  # C++ of views -> the name of the operand
        self.views: dict[str, tuple[str, str]] = {}  # by that name: the tensor, and the view
        self.whole: set[str] = set()  # those whose elements lie in the order of their tensor, one after another
        self.last: dict[str, str] = {}  # of those that end in a tile, pad or reshape: how results are seen
        self.amid: dict[str, int] = {}  # of those that end in a pad: the number around them
        self.lines: list[str] = []  # that make objects of joints
        self.values: list[_Value] = []
        self.parts: set[str] = set()  # names of outputs of which a part is written

    def snippets(self) -> tuple[Snippet, ...]:
        for node in self.graph.nodes:
            self.values.append(self._value(node))
        joins = any(isinstance(self.values[result.node], _Join) for result in self.graph.results)
        if not joins:
            pieces = [self._piece(r.name, self.values[r.node]) for r in self.graph.results]
            return tuple([self._snippet([p]) for p in pieces]) if self.last else (self._snippet(pieces),)
        groups: dict[tuple[str, ...], list[tuple[str, _Value, str]]] = {}
        for result in self.graph.results:
            value = self.values[result.node]
            if isinstance(value, int) and any(leaf in self.last for leaf in self._under(value)):
                groups[result.name,] = [self._piece(result.name, value)]
                continue
            for piece in self._pieces(result.name, self.values[result.node], f"opkg::view(op.{result.name})"):
                assert isinstance(piece[1], int)
                groups.setdefault(tuple(self._under(piece[1])), []).append(piece)  # of the same views: of one shape
        return tuple(
            self._snippet(pieces[at : at + _TOGETHER])
            for pieces in groups.values()
            for at in range(0, len(pieces), _TOGETHER)
        )

    def _value(self, node: Node) -> _Value:
        if node.op in _TENSORS:
            return self.nodes.add(node) if node.uniform else self._leaf(node, f"opkg::view(op.{node.name})")
        if node.op in REDUCE or node.op in SCAN:
            raise _Stays("it reduces dimensions and moves elements", node)
        args = [self.values[arg] for arg in node.args]
        if node.op != "move_reshape":
            self._check_last(args, node)
        if node.op == "move_concat":
            return self._joined(node, args)
        if node.op in _VIEWS:
            return self._through(args[0], lambda text: text + chain(node), node)
        if node.op == "move_reshape":
            if isinstance(args[0], _Join):
                raise _Stays("reshape of what is joined in the same op", node)
            return self._reshaped(args[0], node)
        if node.op in ("move_tile", "move_pad") and not isinstance(args[0], _Join):
            return self._tiled(args[0], node) if node.op == "move_tile" else self._padded(args[0], node)
        if node.op in MOVES:
            raise _Stays(f"{node.op.removeprefix('move_')} and arithmetic in one op", node)
        return self._computed(node, args)

    def _reshaped(self, value: int, node: Node) -> int:
        name, text = self._only(value, node)
        if name in self.amid:
            raise _Stays("reshape of what is padded in the same op", node)
        if text not in self.whole:  # results take the shape of what is reshaped
            return self._mapped(value, lambda text: text, f".shaped({text})")
        self.whole.add(text + chain(node))
        return self._through(value, lambda text: text + chain(node), node)

    def _tiled(self, value: int, node: Node) -> int:
        below = self.graph[node.args[0]]
        if not is_view(node.parts, below.parts if below.op == "move_reshape" else ()):
            raise _Stays("tile of many dimensions", node)
        _, text = self._only(value, node)
        counts = numbers_text(node)
        return self._mapped(value, lambda text: f"{text}.tiled({counts})", f".again({text}, {counts})")

    def _padded(self, value: int, node: Node) -> int:
        self._only(value, node)
        if self.nodes.list[value].op not in _TENSORS or not self.graph[node.args[1]].uniform:
            raise _Stays("pad and arithmetic in one op", node)
        counts = f"opkg::Counts({numbers_text(node)})" if isinstance(node.axes, str) else numbers_text(node)
        around = f".amid({counts})"
        made = self._mapped(value, lambda text: text, around)
        self.amid[self._under(made)[0]] = node.args[1]
        return made

    def _only(self, value: int, node: Node) -> tuple[str, str]:
        """The one view that a value is made of: its name and C++."""
        names = self._under(value)
        if len(names) != 1:
            raise _Stays(f"{node.op.removeprefix('move_')} of what is made of several tensors", node)
        return names[0], self.views[names[0]][1]

    def _check_last(self, values: Sequence[_Value], node: Node) -> None:
        """What is tiled, or reshaped behind other movement, is not moved again, and meets nothing else."""
        under = {leaf for value in values if isinstance(value, int) for leaf in self._under(value)}
        if under & self.amid.keys():
            raise _Stays("pad and arithmetic in one op", node)
        if under & self.last.keys() and (len(under) > 1 or node.op in MOVES):
            raise _Stays("tile or reshape, and more that moves elements, in one op", node)

    def _leaf(self, node: Node, text: str, last: str = "") -> int:
        key = text + last
        if key not in self.leaves:
            whole = key == f"opkg::view(op.{node.name})"
            self.whole |= {key} if whole else set()
            name = node.name if whole else self.names.take(f"{node.name}_part")
            self.leaves[key], self.views[name] = name, (node.name, text)
            if last:
                self.last[name] = last
        return self.nodes.add(replace(node, name=self.leaves[key]))

    def _under(self, value: int) -> list[str]:
        """Names of the views that a value is made of."""
        found: dict[str, None] = {}
        todo = [value]
        while todo:
            node = self.nodes.list[todo.pop()]
            if node.op in _TENSORS and not node.uniform:
                found.setdefault(node.name)
            todo += node.args
        return sorted(found)

    def _shape(self, value: int, node: Node) -> str:
        """C++ of the shape of a value."""
        views = ", ".join(self.views[name][1] for name in self._under(value))
        if not views:
            raise _Stays(f"{node.op.removeprefix('move_')} of one number", node)
        return f"opkg::together({views})"

    def _through(self, value: _Value, change: Callable[[str], str], node: Node) -> int:
        """A value whose views are changed, after they are in one shape."""
        if isinstance(value, _Join):
            raise _Stays(f"{node.op.removeprefix('move_')} of what is joined in the same op", node)
        alike = len(self._under(value)) == 1
        shape = "" if alike else self._shape(value, node)
        return self._mapped(value, lambda text: change(text if alike else f"opkg::spread({text}, {shape})"))

    def _mapped(self, value: int, change: Callable[[str], str], last: str = "") -> int:
        """`last`: how results are seen that have these views, as calls of a view."""
        node = self.nodes.list[value]
        if node.op in _TENSORS and not node.uniform:
            tensor, text = self.views[node.name]
            return self._leaf(replace(node, name=tensor), change(text), last)
        if not node.args:
            return value
        return self.nodes.add(replace(node, args=tuple([self._mapped(arg, change, last) for arg in node.args])))

    def _joined(self, node: Node, args: list[_Value]) -> _Join:
        if any(isinstance(arg, _Join) for arg in args):
            raise _Stays("concat of what is joined in the same op", node)
        shapes = [self._shape(arg, node) for arg in args if isinstance(arg, int)]
        name = self.names.take("joint")
        self.lines.append(f"const opkg::Joint {name}({axis_text(node)}, {{{', '.join(shapes)}}});")
        return _Join(name, tuple(args))

    def _computed(self, node: Node, args: list[_Value]) -> _Value:
        joins = {arg.name: len(arg.parts) for arg in args if isinstance(arg, _Join)}
        if not joins:
            return self.nodes.add(replace(node, args=tuple([arg for arg in args if isinstance(arg, int)])))
        if len(joins) > 1:
            raise _Stays("arithmetic on several results of concat", node)
        ((name, count),) = joins.items()
        return _Join(name, tuple([self._part_of(node, args, name, k) for k in range(count)]))

    def _part_of(self, node: Node, args: list[_Value], name: str, k: int) -> _Value:
        """An operation on one part of what is joined, and on what the others have there."""

        def cut(arg: _Value) -> _Value:
            if isinstance(arg, _Join):
                return arg.parts[k]
            return self._mapped(arg, lambda text: f"{name}.part({k}, {text})")

        return self._computed(node, [cut(arg) for arg in args])

    def _piece(self, name: str, value: _Value) -> tuple[str, _Value, str]:
        """What is written of an output that is not joined."""
        assert isinstance(value, int)
        return name, value, f"opkg::view(op.{name}){''.join(self.last.get(leaf, '') for leaf in self._under(value))}"

    def _pieces(self, name: str, value: _Value, view: str) -> list[tuple[str, _Value, str]]:
        """What is written of an output: the value, and where."""
        if isinstance(value, int):
            return [(name, value, view)]
        return [
            piece
            for k, part in enumerate(value.parts)
            for piece in self._pieces(name, part, f"{value.name}.part({k}, {view})")
        ]

    def _snippet(self, pieces: list[tuple[str, _Value, str]]) -> Snippet:
        """The kernel for some outputs, or for a part of one."""
        snippet, results, outputs, views = self.snippet, [], [], list[tuple[str, str, str]]()
        for name, value, view in pieces:
            assert isinstance(value, int)
            seen_as = self.names.take(f"{name}_part") if view and view != f"opkg::view(op.{name})" else name
            results.append(Result(seen_as, value))
            outputs.append(replace(snippet.operand(name), name=seen_as))
            self.parts |= {seen_as} if seen_as != name else set()
            views += [(seen_as, name, view)] if seen_as != name else []
        graph = canonical(self.nodes.graph(results), self._finite())
        read = dict.fromkeys(node.name for node in graph.nodes if node.op in _TENSORS and not node.uniform)
        inputs = [self._operand(name) for name in read]
        views = [(n, *self.views[n]) for n in read if n != self.views[n][0]] + views
        params = names_of_params(graph)
        function = "_".join((snippet.function, *(o.name for o in outputs if o.name in self.parts)))
        fills = [(name, self.amid[leaf]) for name, value, _ in pieces for leaf in self._parts_amid(value)]
        found = replace(
            snippet,
            function=function,
            graph=graph,
            inputs=(*inputs, *(o for o in snippet.inputs if o.name in snippet.missing)),
            outputs=tuple(outputs),
            params=tuple([p for p in snippet.params if p.name in params]),
            views=tuple(views),
            joints=tuple([line for line in self.lines if _uses(line, views)]),
            filling=Moves(snippet).filling(self.names.take("filling"), *fills[0]) if fills else (),
            moved=self.graph,
            base=snippet.args,
        )
        return replace(found, args=found.struct.removesuffix("Rows") + "Views")

    def _parts_amid(self, value: _Value) -> list[str]:
        return [leaf for leaf in self._under(value) if leaf in self.amid] if isinstance(value, int) else []

    def _operand(self, name: str) -> Operand:
        operand = self.snippet.operand(self.views[name][0])
        return replace(operand, name=name, may_broadcast=False, optional=operand.optional and name == operand.name)

    def _finite(self) -> frozenset[str]:
        return frozenset(name for name, (t, _) in self.views.items() if t in self.snippet.finite)


def _uses(line: str, views: list[tuple[str, str, str]]) -> bool:
    name = line.split()[2].partition("(")[0]
    return any(f"{name}.part(" in view for _, _, view in views)
