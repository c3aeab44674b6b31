"""Who made an operator: a builder of ours, or the backend's own one that it leaves a call to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

from opkg.verify.machines.executorch.harness.opkg_executorch.compare_nodes import Recorder, _Watched


def _made(package: str) -> Any:
    names = SimpleNamespace(GetPackageName=lambda: package, GetOpType=lambda: "Max", GetName=lambda: "max")
    return SimpleNamespace(GetOpWrapper=lambda: names)


class Stock:
    __module__ = "executorch.builders"

    def define_node(self, node: Any, wrappers: Any) -> Any:
        return _made("qti.aisw")


class Ours:
    """As generated builders do it."""

    __module__ = "acme_executorch.op_max"
    stock: ClassVar[dict[str, type]] = {"aten.max.dim": Stock}

    def define_node(self, node: Any, wrappers: Any) -> Any:
        return _made("acme") if node.meta["taken"] else self.rejected(node, wrappers, "Max", "two outputs")

    def rejected(self, node: Any, wrappers: Any, op: str, reason: str) -> Any:
        return self.stock[node.target.__name__]().define_node(node, wrappers)


def test_what_the_backends_own_builder_makes_is_not_ours() -> None:
    recorder = Recorder("model.py", {"acme_executorch"})  # type: ignore[arg-type]
    watched = _Watched(Ours(), recorder)
    for taken in (False, True, False):
        node = SimpleNamespace(target=SimpleNamespace(__name__="aten.max.dim"), meta={"taken": taken})
        watched.define_node(node, {})
    found = [(node["package"], node["ours"]) for node in recorder.nodes]
    assert found == [("qti.aisw", False), ("acme", True), ("qti.aisw", False)]
