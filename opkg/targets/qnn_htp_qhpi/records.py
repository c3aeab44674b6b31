"""Kernel records as a source file has them: two tables of what runs, and the records that number its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from opkg.spec.expr import Expression
from opkg.spec.kept import in_slices, keeps
from opkg.spec.model import Op
from opkg.targets.qnn_htp_qhpi.plan import Record
from opkg.targets.qnn_htp_qhpi.wrappers import Cost, Keeper, placed


@dataclass(frozen=True, slots=True)
class Row:
    """What a record says."""

    name: str
    code: int
    inputs: str
    outputs: str


@dataclass(frozen=True, slots=True)
class Tables:
    """What runs for the records of an op. Both tables grow with the records that are asked for."""

    op: Op
    costs: list[Cost]
    keepers: tuple[Keeper, ...]
    kinds: dict[str, int] = field(default_factory=dict)  # what runs, wherever calls have their tensors -> its number
    codes: dict[tuple[str, int], int] = field(default_factory=dict)  # a function and its kind -> their number

    def rows(self, records: Iterable[Record]) -> list[Row]:
        return [self._row(record) for record in records]

    def _row(self, record: Record) -> Row:
        kind = self.kinds.setdefault(self._kind(record), len(self.kinds))
        code = self.codes.setdefault((self._function(record), kind), len(self.codes))
        return Row(record.name, code, record.inputs.name, record.outputs.name)

    def _function(self, record: Record) -> str:
        """The function that runs or, of a kernel that keeps something, fills what is kept."""
        function = record.kernel.function
        keeper = next((keeper for keeper in self.keepers if function in keeper.functions), None)
        if keeper is None:
            return placed(self.op, "run", f"run_{function}", record.slots)
        return placed(self.op, "keep", keeper.instance(function), record.slots)

    def _kind(self, record: Record) -> str:
        """The C++ that says what else there is about a record's kernel."""
        kernel = record.kernel
        cost = f"opkg::cost_{kernel.cost}"
        if isinstance(kernel.cost, Expression):
            name = f"cost_of_{kernel.function}"
            placing = any(c.name == name and c.reads_places for c in self.costs)
            cost = placed(self.op, "cost", name, record.slots if placing else ())
        arguments = [record.resources, cost]
        if keeps(self.op, kernel):
            arguments.insert(0, f"opkg::run_kept<{'true' if in_slices(self.op, kernel) else 'false'}>")
        options = ""
        if record.checks_outputs:
            options += f".when(opkg::outputs_have_ranks<{', '.join(map(str, record.output_ranks))}>)"
        if kernel.source_destructive:
            options += ".source_destructive()"
        if in_slices(self.op, kernel):
            options += ".multithreaded()"
        return f"opkg::runs({', '.join(arguments)}){options}"
