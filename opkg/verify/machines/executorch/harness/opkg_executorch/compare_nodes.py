"""Which operators of QNN a lowered program is made of, and from which lines of the model they come."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


class Recorder:
    """The operators that the backend's preprocessor hands to QNN, since `install()`."""

    def __init__(self, model: Path, modules: Collection[str] = ()) -> None:
        """`modules`: generated packages, whose builders make operators that are `ours`."""
        self.nodes: list[dict[str, Any]] = []
        self.model, self.modules = str(model), frozenset(modules)

    def install(self) -> None:
        """Watch the builders that the preprocessor asks; the partitioner's questions are not counted."""
        from executorch.backends.qualcomm import qnn_preprocess

        builders = qnn_preprocess.get_node_visitors

        def watched(*args: Any, **kwargs: Any) -> dict[str, Any]:
            return {name: _Watched(builder, self) for name, builder in builders(*args, **kwargs).items()}

        qnn_preprocess.get_node_visitors = watched


class _Watched:
    """A builder that writes down what it makes."""

    def __init__(self, builder: Any, recorder: Recorder) -> None:
        self.builder, self.recorder = builder, recorder
        self.makers: list[type] = []  # builders that get a call which the spec of ours does not allow
        if hasattr(builder, "rejected"):
            builder.rejected = self._rejected

    def _rejected(self, node: Any, *args: Any) -> Any:
        self.makers += filter(None, [self.builder.stock.get(getattr(node.target, "__name__", ""))])
        return type(self.builder).rejected(self.builder, node, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.builder, name)

    def define_node(self, node: Any, nodes_to_wrappers: Any) -> Any:
        self.makers = [type(self.builder)]
        made = self.builder.define_node(node, nodes_to_wrappers)
        for each in made if isinstance(made, list) else [made] if made is not None else []:
            operator = each.GetOpWrapper()
            record: dict[str, Any] = {
                "package": operator.GetPackageName(),
                "type": operator.GetOpType(),
                "name": operator.GetName(),
            }
            record["torch"] = str(getattr(node.target, "__name__", node.target))
            record["ours"] = self.makers[-1].__module__.partition(".")[0] in self.recorder.modules
            self.recorder.nodes.append(record | source(node, self.recorder.model))
        return made


def source(node: Any, model: str) -> dict[str, Any]:
    """Where a node comes from: `file` and `line`, empty and 0 when it is not known, and `module`, its path in the model.

    The innermost frame in the model's file, or in a file of the same user; those of torch's own layers say nothing.
    """
    frames = [frame for frame in _FRAME.findall(str(node.meta.get("stack_trace") or "")) if frame[0][:1] != "<"]
    users = [frame for frame in frames if "site-packages" not in frame[0]]
    file, line = next((frame for frame in frames[::-1] if frame[0] == model), (users or frames or [("", "0")])[-1])
    stack = list((node.meta.get("nn_module_stack") or {}).values())
    path = str(stack[-1][0]) if stack else ""
    return {"file": file, "line": int(line), "module": path.removeprefix("L['self']").strip(".")}
