"""Which builders make the nodes of a lowered program: those of generated packages, or others."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any

CALLER = "opkg_caller"  # as generated packages mark it (mapping.py)


class Watch:
    """Counts of nodes by torch op, since `clear()`.

    The partitioner asks a builder for each node, and the preprocessor once more for those it compiles: the second
    answers are the program, so only those are counted.
    """

    def __init__(self, packages: list[str]) -> None:
        self.packages = packages
        self.ours: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}
        self.depth = 0
        self.compiling = False

    def clear(self) -> None:
        """Start again."""
        self.ours, self.others, self.reasons = Counter(), Counter(), {}

    def counts(self) -> tuple[dict[str, int], dict[str, int], list[str]]:
        """Nodes by torch op that our builders made and that others made; why ours did not take some."""
        return dict(sorted(self.ours.items())), dict(sorted(self.others.items())), sorted(self.reasons.values())

    def install(self) -> None:
        """Wrap every builder of the registry, and what drives them."""
        from executorch.backends.qualcomm import qnn_preprocess
        from executorch.backends.qualcomm.builders.node_visitor_manager import _node_visitor_dict

        for visitor in {id(each): each for each in _node_visitor_dict.values()}.values():
            self._wrap(visitor)
            for stock in getattr(visitor, "stock", {}).values():
                self._wrap(stock)
        backend = qnn_preprocess.QnnBackend
        for name in ("preprocess", "preprocess_multimethod"):
            if name in vars(backend):
                setattr(backend, name, staticmethod(self._during(getattr(backend, name))))

    def _during(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            held, self.compiling = self.compiling, True
            try:
                return function(*args, **kwargs)
            finally:
                self.compiling = held

        return called

    def _wrap(self, visitor: type[Any]) -> None:
        """Count what the class makes; a builder that hands on to another one has made nothing."""
        define = visitor.define_node
        if hasattr(define, "watched"):
            return
        ours = visitor.__module__.split(".")[0] in self.packages

        @functools.wraps(define)
        def define_node(builder: Any, node: Any, nodes_to_wrappers: Any) -> Any:
            before = self.others.total() + self.ours.total()
            made = define(builder, node, nodes_to_wrappers)
            handed_on = self.others.total() + self.ours.total() != before
            part = CALLER in getattr(node, "meta", ())  # it makes an input of the node that is counted
            folded = made == [] and not ours  # of ours, a constant of the graph
            if made is not None and not folded and self.compiling and not handed_on and not part:
                (self.ours if ours else self.others)[_name(node.target)] += 1
            return made

        define_node.watched = True  # type: ignore[attr-defined]
        visitor.define_node = define_node
        if ours and hasattr(visitor, "rejected") and not hasattr(visitor.rejected, "watched"):
            self._wrap_rejected(visitor)

    def _wrap_rejected(self, visitor: type[Any]) -> None:
        rejected = visitor.rejected

        @functools.wraps(rejected)
        def said(builder: Any, node: Any, nodes_to_wrappers: Any, op: str, reason: Exception) -> Any:
            self.reasons[f"{op} {reason}"] = f"{op} ({getattr(node.target, '__name__', node.target)}): {reason}"
            return rejected(builder, node, nodes_to_wrappers, op, reason)

        said.watched = True  # type: ignore[attr-defined]
        visitor.rejected = said


def _name(target: Any) -> str:
    """`aten.relu.default`, also of an op that the edge dialect leaves as torch has it."""
    name = getattr(target, "__name__", str(target))
    return str(target) if name.count(".") == 1 else name
