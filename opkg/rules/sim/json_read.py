"""Reading the JSON form of graphs, which has also ids, origins and split history (docs/rules-graphs.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Data, Fill, Listed, Random
from opkg.rules.sim.json_places import Placed, Unreadable, parse
from opkg.rules.sim.model import Graph, Node, Output, SplitRecord
from opkg.spec.diagnostics import Diagnostic, Span, error, nearest
from opkg.spec.source_text import SourceText

FORMAT = "opkg-graph 1"
MAX_SIZE = (1 << 31) - 1
_TYPES = {t.name: t for t in HtpType}
_NODE_KEYS = ("id", "name", "op", "inputs", "type", "shape", "outputs", "zero", "step", "values", "origin", "splits")
_KEYS = ("format", "options", "nodes", "splits", "outputs")


def read_json(text: str, path: str = "<graph>") -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a JSON text, None when it has errors. Errors of all nodes are found, one for each."""
    reader = _Reader(SourceText(path, text))
    try:
        reader.whole(parse(text))
    except Unreadable as wrong:
        at = min(wrong.at, max(len(text) - 1, 0))
        span = reader.source.span(at, at + 1) if text else Span(path)
        reader.findings.append(error("OPK585", wrong.message, span))
    except _Wrong as wrong:
        reader.findings.append(wrong.finding)
    return (None if reader.findings else reader.graph), tuple(reader.findings)


class _Wrong(Exception):
    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class _Reader:
    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.graph = Graph()
        self.findings: list[Diagnostic] = []
        self._broken: set[int] = set()
        self._current = -1  # id of the node that is read

    def wrong(self, message: str, at: Placed, hint: str = "", id: str = "OPK585") -> _Wrong:
        return _Wrong(error(id, message, self.source.span(at.start, at.end), hint))

    # ---- the parts of the file

    def whole(self, top: Placed) -> None:
        fields = self._fields(top, _KEYS, "a graph")
        if "format" not in fields or fields["format"].value != FORMAT:
            raise self.wrong(f'"format" must be "{FORMAT}"', fields.get("format", top))
        for name, value in self._object(fields.get("options"), "options").items():
            if not isinstance(value.value, (bool, int, float, str)):
                raise self.wrong("an option is a number, true, false or text", value)
            self.graph.options[name] = value.value
        for place in self._list(fields.get("nodes"), "nodes"):
            try:
                self._node(place)
            except _Wrong as wrong:
                self.findings.append(wrong.finding)
                self._broken.add(self._current)
        for number, place in enumerate(self._list(fields.get("splits"), "splits")):
            self.graph.splits[number] = self._record(place)
        outputs = self._object(fields.get("outputs"), "outputs")
        if not self.findings:
            self.graph.set_outputs([(name, self._known(id)) for name, id in outputs.items()])

    def _node(self, place: Placed) -> None:
        self._current = -1
        fields = self._fields(place, _NODE_KEYS, "a node")
        id = self._integer(fields.get("id", place), "id", 0, MAX_SIZE)
        if id in self.graph.nodes or id in self._broken:
            raise self.wrong(f"a second node {id}", fields["id"], id="OPK582")
        self._current = id
        name = self._text(fields["name"], "name") if "name" in fields else ""
        op = self._text(fields.get("op", place), "op")
        inputs = tuple(self._known(i) for i in self._list(fields.get("inputs"), "inputs"))
        output = self._output(fields, place)
        data = self._data(fields["values"], output) if "values" in fields else None
        origin = self._integer(fields["origin"], "origin", 0, MAX_SIZE) if "origin" in fields else id
        history = tuple(self._pair(i) for i in self._list(fields.get("splits"), "splits"))
        self.graph.set(id, Node(id, op, inputs, output, data, name, origin, history))
        self.graph.next_id = max(self.graph.next_id, id + 1)

    def _output(self, fields: dict[str, Placed], place: Placed) -> Output:
        type_ = fields.get("type", place)
        dtype = _TYPES.get(self._text(type_, "type"))
        if dtype is None:
            near = nearest(str(type_.value), list(_TYPES))
            hint = f"did you mean {near}?" if near else ""
            raise self.wrong(f"no element type {type_.value}", type_, hint, "OPK583")
        if dtype is HtpType.Multi:
            return Output(dtype, (self._integer(fields.get("outputs", place), "outputs", 1, 65535),))
        sizes = self._list(fields.get("shape", place), "shape")
        shape = tuple(self._integer(size, "a size", 0, MAX_SIZE) for size in sizes)
        if len(shape) > 8:
            raise self.wrong(f"{len(shape)} dimensions; 8 are the most", fields["shape"], id="OPK583")
        zero = self._integer(fields["zero"], "zero", -(1 << 31), MAX_SIZE) if "zero" in fields else 0
        step = float(self._number(fields["step"], "step")) if "step" in fields else 1.0
        output = Output(dtype, shape, zero, step)
        if not output.quantized and (zero, step) != (0, 1.0):
            raise self.wrong(
                f"{dtype.name} is not quantized", fields.get("zero", fields.get("step", place)), id="OPK583"
            )
        if not 0 < step < float("inf"):
            raise self.wrong("the step size must be above 0", fields["step"], id="OPK583")
        return output

    def _data(self, place: Placed, output: Output) -> Data | None:
        if place.value is None:
            return None
        if isinstance(place.value, dict):
            fields = self._fields(place, ("fill", "random"), "values")
            if "fill" in fields:
                return Fill(self._number(fields["fill"], "fill"))
            return Random(self._integer(fields.get("random", place), "random", 0, MAX_SIZE))
        values = tuple(self._number(value, "a value") for value in self._list(place, "values"))
        if len(values) != output.elements:
            raise self.wrong(f"{len(values)} values for {output.elements} elements", place, id="OPK584")
        return Listed(values)

    def _record(self, place: Placed) -> SplitRecord:
        keys = ("origin", "dim", "count", "chunk")
        fields = self._fields(place, keys, "a split")
        return SplitRecord(*(self._integer(fields.get(key, place), key, 0, MAX_SIZE) for key in keys))

    # ---- kinds of values

    def _known(self, place: Placed) -> int:
        id = self._integer(place, "an id", 0, MAX_SIZE)
        if id not in self.graph.nodes:
            message = f"the node {id} has an error" if id in self._broken else f"no node {id} above"
            raise self.wrong(message, place, "a node stands before those that read it", "OPK581")
        return id

    def _pair(self, place: Placed) -> tuple[int, int]:
        parts = [self._integer(i, "a number", 0, MAX_SIZE) for i in self._list(place, "a split")]
        if len(parts) != 2:
            raise self.wrong("a split of a node is [record, index]", place)
        return parts[0], parts[1]

    def _fields(self, place: Placed, known: tuple[str, ...], what: str) -> dict[str, Placed]:
        fields = self._object(place, what)
        for key, value in fields.items():
            if key not in known:
                near = nearest(key, known)
                raise self.wrong(f"{what} has no key {key!r}", value, f"did you mean {near}?" if near else "")
        return fields

    def _is(self, place: Placed, what: str, kind: str, test: Callable[[Any], bool]) -> Any:
        if not test(place.value):
            missing = isinstance(place.value, dict) and kind != "an object"
            raise self.wrong(f"{what} is missing or not {kind}" if missing else f"{what} must be {kind}", place)
        return place.value

    def _object(self, place: Placed | None, what: str) -> dict[str, Placed]:
        if place is None:
            return {}
        fields: dict[str, Placed] = self._is(place, what, "an object", lambda v: isinstance(v, dict))
        return fields

    def _list(self, place: Placed | None, what: str) -> list[Placed]:
        if place is None:
            return []
        values: list[Placed] = self._is(place, what, "a list", lambda v: isinstance(v, list))
        return values

    def _text(self, place: Placed, what: str) -> str:
        return str(self._is(place, what, "text", lambda v: isinstance(v, str)))

    def _number(self, place: Placed, what: str) -> int | float:
        value: int | float = self._is(
            place, what, "a number", lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)
        )  # fmt: skip
        return value

    def _integer(self, place: Placed, what: str, least: int, most: int) -> int:
        value = self._number(place, what)
        if not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"{what} must be an integer from {least} to {most}", place)
        return value
