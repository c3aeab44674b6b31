"""An IR of OpenVINO with fused ops in place: each place is one node of the package's extension op, made by its Python twin."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opkg.fuse.find import Found
from opkg.fuse.fused import number
from opkg.models.openvino_reader import outputs_of
from opkg.spec.diagnostics import OpkgError, Span, error

SAYS = "opkg"  # the entry of a model's rt_info that says what it needs


def twins(package: Path) -> dict[str, Any]:
    """The classes of a package's ops by the ops' names. `package`: the generated folder NAME_openvino."""
    name = f"opkg_twins_{package.name}"
    spec = importlib.util.spec_from_file_location(
        name, package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
        for each in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
            del sys.modules[each]
    return {op.class_type_info.name: op for op in module.OPS}


def rewritten(path: str, found: Found, ops: Mapping[str, Any], needs: Mapping[str, str]) -> Any:
    """The ov.Model of a file with the ops in place. `needs`: what the model says of how it is loaded. Raises OpkgError (OPK764)
    when an op refuses a place."""
    import openvino

    model = openvino.Core().read_model(path)
    outputs = outputs_of(model)
    for op in found.ops:
        for place in op.places:
            attributes = {name: float(number(place.numbers[at])) for name, at in op.params}
            name = found.model.nodes[place.nodes[-1]].name
            try:
                node = ops[op.name]([outputs[each] for each in place.inputs], **attributes)
            except (RuntimeError, KeyError) as failure:
                message = f"{op.name} cannot stand at {name}: {str(failure).strip().splitlines()[-1]}"
                raise OpkgError([error("OPK764", message, Span(path))]) from None
            last = outputs[place.outputs[-1]].get_node()
            label = last.get_friendly_name()
            for at, each in enumerate(place.outputs):
                _replace(outputs[each], node.output(at))
                outputs[each] = node.output(at)  # for places that read it
            last.set_friendly_name(f"{label}/was")
            node.set_friendly_name(label)
    for key, value in needs.items():
        model.set_rt_info(value, [SAYS, key])
    model.validate_nodes_and_infer_types()
    return model


def _replace(old: Any, new: Any) -> None:
    """Whoever read a tensor reads another one, which takes over its names."""
    names = old.get_names()
    for reader in list(old.get_target_inputs()):
        if reader.get_node().get_name() != new.get_node().get_name():
            reader.replace_source_output(new)
    old.get_tensor().set_names(set())
    new.get_tensor().add_names(names)


def count(model: Any) -> int:
    """The ops of a model, without its inputs, results and constants."""
    return sum(node.get_type_name() not in ("Parameter", "Result", "Constant") for node in model.get_ops())


__all__ = ["SAYS", "count", "rewritten", "twins"]
