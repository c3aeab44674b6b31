"""Runs a whole model in ONNX Runtime on the HTP: as it was, and with a package's ops in it. Run as a module with one JSON file.

The file: `before`, `after` (models), `module`, `library`, `observer`, `inputs` (.npz), `folder`. Into the folder go `whole.json`
and, of each run that came to its end, `before.npz` and `after.npz`. Params of the package's nodes are attributes in the file, and
become what the package takes; their functions are those of the package.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import onnxruntime_qnn
from onnx import helper
from opkg_executorch import observe
from opkg_executorch.records import one_line

ERRORS = 4


def with_calls(model: Any, package: Any) -> Any:
    """The model with the package's own calls and functions."""
    nodes: list[Any] = []
    for node in model.graph.node:
        if node.domain != package.DOMAIN:
            nodes.append(node)
            continue
        known = {param.name for param in package.OPS[node.op_type].params}
        params = {a.name: helper.get_attribute_value(a) for a in node.attribute if a.name in known}
        call = package.make_node(node.op_type, list(node.input), list(node.output), name=node.name, **params)
        nodes += call.nodes
        model.graph.initializer.extend(call.initializers)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    kept = [function for function in model.functions if function.domain != package.DOMAIN]
    del model.functions[:]
    model.functions.extend(kept)
    return package.add_functions(model)


def options() -> Any:
    made = ort.SessionOptions()
    made.log_severity_level = ERRORS
    made.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    return made


def operators(session: Any) -> tuple[int, int]:
    """Nodes on the HTP, and elsewhere."""
    found = [(part.ep_name, len(part.get_nodes())) for part in session.get_provider_graph_assignment_info()]
    htp = sum(count for name, count in found if name == "QNNExecutionProvider")
    return htp, sum(count for _, count in found) - htp


class Whole:
    """Both runs of one request."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request, self.folder = request, Path(request["folder"])
        observe.start(request["observer"])
        self.package = importlib.import_module(request["module"])
        self.sessions = importlib.import_module(f"{request['module']}.session")
        self.inputs = dict(np.load(request["inputs"]))

    def before(self) -> dict[str, Any]:
        chosen = options()
        device = self.sessions.provider()
        chosen.add_provider_for_devices([device], {"backend_path": onnxruntime_qnn.get_qnn_htp_path()})
        session = ort.InferenceSession(self.request["before"], chosen)
        return self._ran(session, "before")

    def after(self) -> dict[str, Any]:
        model = with_calls(onnx.load(self.request["after"]), self.package)
        session = self.sessions.create_session(
            model, self.request["library"], session_options=options(), required=False
        )
        placed = self.sessions.placement(session, model)
        counts = observe.counts()
        found = self._ran(session, "after")
        return {
            **found,
            "placed": list(placed.placed),
            "elsewhere": list(placed.elsewhere),
            "kernels": observe.since(counts),
        }

    def _ran(self, session: Any, side: str) -> dict[str, Any]:
        htp, elsewhere = operators(session)
        names = [output.name for output in session.get_outputs()]
        results = session.run(names, self.inputs)
        np.savez(self.folder / f"{side}.npz", *results)
        return {"outputs": names, "htp": htp, "elsewhere_count": elsewhere}


def main(place: Path) -> None:
    whole = Whole(json.loads(place.read_text("utf-8")))
    found: dict[str, Any] = {}
    for side, run in (("before", whole.before), ("after", whole.after)):
        try:
            found[side] = run()
        except Exception as failure:  # the provider's own kinds of errors
            found[side] = {"fault": one_line(failure)}
        (whole.folder / "whole.json").write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
