"""What Python stand-ins of a rule's C++ functions get as their first argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from opkg.rules.core import At, HtpType
from opkg.rules.sim.arithmetic import Fault, Scalar
from opkg.rules.sim.data import Listed
from opkg.rules.sim.frame import Frame
from opkg.rules.sim.model import Graph, Node, OptionValue, Output

if TYPE_CHECKING:
    from opkg.rules.sim.builder import Builder, Described


class Context:
    """The graph during an attempt. Functions are called as

        EXTERNAL_CONSTRAINT(f, "X", scalars...)             f(context, node, *scalars) -> bool, int or float
        SHAPEFN_APPLY(f, args...)                           f(context, *args) -> node, or dims of a shape
        AUTOSPLIT_SHAPEFN_APPLY(f, tag, args...)            f(context, split, *args) -> node, or dims of a shape
        EXTERNAL_REPLACE(f)                                 f(context, root) -> node (root itself: no change)

    with `Node`s for operands and numbers for scalars; `split` has `dim`, `start` and `size`. An exception ends the attempt and
    is reported. `shape`, `const` and `op` build nodes; not in a constraint.
    """

    def __init__(self, frame: Frame, builder: Builder | None, described: Described | None = None) -> None:
        self._frame = frame
        self._builder = builder
        self._described = described

    @property
    def graph(self) -> Graph:
        """The graph; to be read only."""
        return self._frame.graph

    def operand(self, tag: str) -> Node:
        """What a tag is bound to."""
        return self._frame.tagged(tag, (0, 0))

    def option(self, name: str) -> OptionValue:
        """A graph option, 0 when it is not set."""
        return self._frame.option(name)

    def input(self, node: Node, index: int) -> Node:
        """The node that makes an input."""
        return self.graph.nodes[node.inputs[index]]

    def _building(self) -> tuple[Builder, Described]:
        if self._builder is None or self._described is None:
            raise Fault("a constraint cannot build nodes")
        return self._builder, self._described

    def shape(self, *dims: int) -> Node:
        """A new shape node."""
        builder, described = self._building()
        return builder.shape(tuple(dims), described, (0, 0))

    def const(self, dtype: HtpType, shape: Sequence[int], values: Sequence[Scalar]) -> Node:
        """A new constant; `values` are real numbers in row-major order."""
        builder, described = self._building()
        return builder.const(Output(dtype, tuple(shape)), Listed(tuple(values)), described)

    def op(self, name: str, *inputs: Node, output: Output | None = None) -> Node:
        """A new op by its full name, described by `output`, else as Op(...) in this place would be."""
        builder, described = self._building()
        return builder.op(name, tuple(i.id for i in inputs), described, output)


def guarded(function: Callable[..., Any], name: str, at: At, *args: Any) -> Any:
    """The function's value; what it raises becomes a Fault."""
    try:
        return function(*args)
    except Fault as fault:
        raise Fault(f"{name}: {fault.message}", at) from None
    except Exception as error:  # a user's function may raise anything
        raise Fault(f"{name} raised {type(error).__name__}: {error}", at) from error
