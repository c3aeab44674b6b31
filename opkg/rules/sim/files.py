"""Graph files by their suffix: `.json`, those of models (`.onnx`, `.xml`), all others text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from opkg.models.read import SUFFIXES
from opkg.rules.sim.json_read import read_json
from opkg.rules.sim.json_write import write_json
from opkg.rules.sim.model import Graph
from opkg.rules.sim.text_read import read_text
from opkg.rules.sim.text_write import write_text
from opkg.spec.diagnostics import Diagnostic, Span, error

MAX_BYTES = 256 * 1024 * 1024  # of a text or JSON file


def read_graph(path: Path | str, dims: Mapping[str, int] | None = None) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a file, None when it has errors. `dims`: sizes of a model's named dimensions.

    Raises MissingTool for a model without the package that reads it. A file that cannot be read gives a finding.
    """
    graph, findings = _read(Path(path), path, dims)
    if graph is not None:
        graph.path = str(path)
    return graph, findings


def _read(file: Path, path: Path | str, dims: Mapping[str, int] | None) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    try:
        if not file.is_file():
            reason = "it is a folder" if file.is_dir() else "it is no file" if file.exists() else "no such file"
            return None, (error("OPK591", f"cannot read the graph: {reason}", Span(str(path))),)
        if file.suffix.lower() in SUFFIXES:
            from opkg.rules.sim.model_form import graph_of_file

            return graph_of_file(str(path), dims or {})
        if file.stat().st_size > MAX_BYTES:
            return None, (error("OPK591", f"the file has more than {MAX_BYTES >> 20} MiB", Span(str(path))),)
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        return None, (error("OPK591", f"byte {failure.start} is not UTF-8: no graph in text form", Span(str(path))),)
    except OSError as failure:
        return None, (error("OPK591", f"cannot read the graph: {failure.strerror}", Span(str(path))),)
    read = read_json if file.suffix.lower() == ".json" else read_text
    return read(text, str(path))


def write_graph(graph: Graph, suffix: str = ".txt", limit: int | None = None) -> str:
    """The graph's text for a file of that suffix: `.json`, else text. `limit`: as for `write_text`."""
    return write_json(graph, limit) if suffix.lower() == ".json" else write_text(graph, limit)
