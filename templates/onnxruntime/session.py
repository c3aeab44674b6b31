"""Sessions of ONNX Runtime with this package on the HTP, which say what the provider leaves unsaid."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import onnx
import onnxruntime as ort
import onnxruntime_qnn

from .ops import DOMAIN, LIBRARY, OPS, PROVIDER
from .versions import release

PROVIDER_NAME = "QNNExecutionProvider"
DOMAINS_VARIABLE = "ORT_QNN_CUSTOM_OP_DOMAINS"
_registered = False


class NotPlaced(RuntimeError):
    """A session in which nodes of this package do not run in the op package."""


@dataclass(frozen=True)
class Placement:
    """Where a model's nodes of this package are. `elsewhere`: those that became other ops or fell to another provider."""

    placed: tuple[str, ...]
    elsewhere: tuple[str, ...]
    provider_used: bool  # whether the provider took any node at all

    def __str__(self) -> str:
        total = len(self.placed) + len(self.elsewhere)
        return f"{len(self.placed)} of {total} nodes of {DOMAIN} run in the op package"


def op_packages(library: str | Path, ops: Sequence[str] = (), target: str = "CPU") -> str:
    """The provider's option `op_packages` for the package built for this machine (`target` CPU; on a device also HTP).

    Raises FileNotFoundError and ValueError where the provider would go on without the package: no such file, no such
    symbol, a name that its syntax cannot hold.
    """
    path = Path(library)
    if target == "CPU":
        path = path.resolve()
        if not path.is_file():
            raise FileNotFoundError(f"{library}: no such library; it is built by: opkg build")
        if PROVIDER.encode() + b"\0" not in path.read_bytes():
            raise ValueError(f"{path} exports no {PROVIDER}; is it {LIBRARY} of {DOMAIN}, built anew?")
    for mark in ",:":
        if mark in str(path):
            raise ValueError(f"{path}: the provider's syntax takes no '{mark}' in a path")
    return ",".join(f"{op}:{path}:{PROVIDER}:{target}" for op in ops or OPS)


def provider() -> Any:
    """The device of onnxruntime-qnn's provider, registered on first use. Raises RuntimeError where that cannot be."""
    global _registered
    version = metadata.version("onnxruntime-qnn")
    row = release(version)
    if row is None:
        raise RuntimeError(f"onnxruntime-qnn {version} is older than 2.3.0, the first that is known to work")
    newest = row.most_onnxruntime
    if newest and _pair(ort.__version__) > _pair(newest):
        raise RuntimeError(
            f"onnxruntime-qnn {version} does not load in onnxruntime {ort.__version__}, only up to {newest}"
        )
    found = _device()
    if found is None and not _registered:
        _make_known()
        ort.register_execution_provider_library(PROVIDER_NAME, onnxruntime_qnn.get_library_path())
        _registered = True
        found = _device()
    if found is None:
        raise RuntimeError("onnxruntime-qnn's provider shows no device on this machine")
    return found


def _device() -> Any:
    return next(
        (each for each in ort.get_ep_devices() if each.ep_vendor == "Qualcomm" or each.ep_name == PROVIDER_NAME), None
    )


def _pair(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def _make_known() -> None:
    """Ops that have no function are made known by a variable, which the provider reads when it is registered."""
    without = [op.name for op in OPS.values() if not op.functions]
    row = release(metadata.version("onnxruntime-qnn"))
    if not without or row is None or not row.domains_variable:
        return
    entry = f"{DOMAIN}:{','.join(without)}"
    others = [
        each for each in os.environ.get(DOMAINS_VARIABLE, "").split(";") if each and not each.startswith(f"{DOMAIN}:")
    ]
    os.environ[DOMAINS_VARIABLE] = ";".join([*others, entry])


_UNPREPARED = (
    "the backend cannot prepare the graph (1002). A node that the package refuses is computed by its function, in the "
    "backend's own ops, and these it cannot always prepare: look in the log (severity 0) for backendValidateOpConfig and 3110"
)

_NOWHERE = (
    "nothing computes a node of {}: the package refused it, or dimensions are open, or the release of onnxruntime-qnn knows "
    "no ops without a function, and this one has none; the reason stands in the log (severity 0)"
)


def create_session(
    model: onnx.ModelProto | str | Path,
    library: str | Path,
    *,
    options: Mapping[str, str] | None = None,
    config: Mapping[str, str] | None = None,
    session_options: Any = None,
    required: bool = True,
) -> ort.InferenceSession:
    """A session on the HTP (on x86: its simulation) with this package.

    `options`: more options of the provider (soc_model, htp_arch, ...); `config`: entries of the session
    (ep.context_enable, ...). With `required`, NotPlaced is raised when a node of this package does not run in the op
    package; without, it may fall back to its function. Give `session_options` for anything else.
    """
    chosen = {"backend_path": onnxruntime_qnn.get_qnn_htp_path(), "op_packages": op_packages(library)}
    chosen |= options or {}
    given = session_options or ort.SessionOptions()
    given.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    for key, value in (config or {}).items():
        given.add_session_config_entry(key, value)
    given.add_provider_for_devices([provider()], chosen)
    proto = onnx.load(model) if isinstance(model, str | Path) else model
    source = str(model) if isinstance(model, str | Path) else proto.SerializeToString()
    try:
        session = ort.InferenceSession(source, given)
    except Exception as failure:  # onnxruntime's own kinds of errors
        left = [op.name for op in OPS.values() if not op.functions and f"implementation for {op.name}(" in str(failure)]
        if left:
            raise NotPlaced(_NOWHERE.format(left[0])) from failure
        if not required or "Code: 1002" not in str(failure):
            raise
        raise NotPlaced(_UNPREPARED) from failure
    if required:
        _require(placement(session, proto))
    return session


def placement(session: ort.InferenceSession, model: onnx.ModelProto) -> Placement:
    """Where the model's nodes of this package are, by the session's own record of it."""
    taken: Counter[tuple[str, str]] = Counter()  # by name and op
    used = False
    for part in session.get_provider_graph_assignment_info():
        if part.ep_name != PROVIDER_NAME and part.ep_name != provider().ep_name:
            continue
        used = True
        taken.update((node.name, node.op_type) for node in part.get_nodes() if node.domain == DOMAIN)
    nodes = [node for node in model.graph.node if node.domain == DOMAIN]
    nameless = Counter(node.op_type for node in nodes if not node.name)
    placed: list[str] = []
    elsewhere: list[str] = []
    for node in nodes:
        key = node.name, node.op_type
        found = taken[key] > 0
        taken[key] -= found
        unclear = not found and nameless[node.op_type] > 1 and not node.name
        name = f"one of {nameless[node.op_type]} nodes {node.op_type} without a name" if unclear else ""
        (placed if found else elsewhere).append(name or node.name or node.output[0])
    return Placement(tuple(placed), tuple(elsewhere), used)


def _require(found: Placement) -> None:
    if not found.elsewhere:
        return
    why = "the package refused them, or dimensions are open; the reason stands in the log (severity 0)"
    if not found.provider_used:
        why = "the provider took no node at all: the package did not register, or the provider is off"
    raise NotPlaced(f"{found}; not: {', '.join(found.elsewhere)}. {why}")
