"""Which operators of QNN a lowered program is made of, and from which lines of the model they come."""

from __future__ import annotations

import re
from typing import Any

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class Recorder:
    """The operators that the backend's preprocessor hands to QNN, since `install()`."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []

    def install(self) -> None:
        """Watch the builders that the preprocessor asks; the partitioner's questions are not counted."""
        from executorch.backends.qualcomm import qnn_preprocess

        builders = qnn_preprocess.get_node_visitors

        def watched(*args: Any, **kwargs: Any) -> dict[str, Any]:
            return {name: _Watched(builder, self.nodes) for name, builder in builders(*args, **kwargs).items()}

        qnn_preprocess.get_node_visitors = watched


class _Watched:
    """A builder that writes down what it makes."""

    def __init__(self, builder: Any, nodes: list[dict[str, Any]]) -> None:
        self.builder, self.nodes = builder, nodes

    def __getattr__(self, name: str) -> Any:
        return getattr(self.builder, name)

    def define_node(self, node: Any, nodes_to_wrappers: Any) -> Any:
        made = self.builder.define_node(node, nodes_to_wrappers)
        for each in made if isinstance(made, list) else [made] if made is not None else []:
            operator = each.GetOpWrapper()
            record = {"package": operator.GetPackageName(), "type": operator.GetOpType(), "name": operator.GetName()}
            self.nodes.append(record | {"torch": str(getattr(node.target, "__name__", node.target))} | source(node))
        return made


def source(node: Any) -> dict[str, Any]:
    """Where a node comes from: `file` and `line` of the innermost frame that is known, and `module`, its path in the model."""
    frames = _FRAME.findall(str(node.meta.get("stack_trace") or ""))
    file, line = frames[-1] if frames else ("", "0")
    stack = list((node.meta.get("nn_module_stack") or {}).values())
    path = str(stack[-1][0]) if stack else ""
    return {"file": file, "line": int(line), "module": path.removeprefix("L['self']").strip(".")}
