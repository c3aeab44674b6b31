"""Decides the QHPI records of an op: kernels, signatures, argument positions, tiling. Templates only print this."""

from __future__ import annotations

from dataclasses import dataclass, replace

from opkg.spec.arriving import distinct_kernels, qhpi_types
from opkg.spec.dtypes import Kind
from opkg.spec.kept import in_places_of_params, keeps
from opkg.spec.model import Kernel, Layout, Op, Placement, Resource, Storage, TensorSpec
from opkg.targets.qnn_common.arrangements import Arrangement, Key, Order, arrangements
from opkg.targets.qnn_common.names import unique
from opkg.targets.qnn_common.ranks import FLAT, rank_classes
from opkg.targets.qnn_common.validation import MAX_RANK
from opkg.targets.qnn_htp_qhpi.facts import BYTES, CROUTONS, param_arrives_as
from opkg.targets.qnn_htp_qhpi.signatures import ABSENT, NULL, Signature, SignatureList, named
from opkg.targets.qnn_htp_qhpi.tiles import Tiles, tiled_type, tiles_of

RESOURCE_BITS = {Resource.HVX: "QHPI_RESOURCE_HVX", Resource.HMX: "QHPI_RESOURCE_HMX"}


@dataclass(frozen=True, slots=True)
class Record:
    """One kernel record."""

    name: str
    kernel: Kernel
    slots: tuple[int, ...]  # what the kernel's wrapper is given: positions and counts; empty when fixed
    inputs: SignatureList
    outputs: SignatureList
    resources: str
    output_ranks: tuple[int, ...]  # rank classes of the outputs
    positions: dict[str, int]  # of every param among the inputs; -1: left out
    checks_outputs: bool = False  # needs a predicate: another record has the same inputs and other outputs


@dataclass(frozen=True, slots=True)
class Slot:
    """A position that differs between records: given to the wrapper."""

    name: str
    field: str  # "axis", of the struct with all of them


@dataclass(frozen=True, slots=True)
class Plan:
    """The records of one op."""

    op: Op
    kernels: tuple[Kernel, ...]  # those that get records: signed ones that arrive as unsigned twins do not
    records: tuple[Record, ...]
    slots: tuple[Slot, ...]
    arrangement: Arrangement  # the only one, when `slots` is empty
    orders: tuple[Order, ...] | None
    lists: tuple[SignatureList, ...]
    tiles: Tiles
    flat: tuple[Record, ...] = ()  # of the op that stands in this one's place where blocks do not pay
    bools_as_ints: bool = False  # records with all params have twins that take scalar bools as Int32

    @property
    def block_types(self) -> tuple[tuple[str, ...], ...]:
        """The QHPI element types of inputs and outputs for which there are kernels in blocks and flat ones."""
        kernels = dict.fromkeys(record.kernel.combination for record in self.flat)
        return tuple(dict.fromkeys(qhpi_types(self.op, combination) for combination in kernels))

    @property
    def output_types(self) -> tuple[str, ...]:
        """The QHPI element types that the first output can have."""
        return tuple(dict.fromkeys(tiled_type(self.op, kernel) for kernel in self.kernels))


def make_plan(op: Op) -> Plan:
    """The QHPI records of an op. Pure and deterministic."""
    kernels = distinct_kernels(op)
    per_kernel = [(k, arrangements(op, k.combination, arrangement_key(k))) for k in kernels]
    several = any(len(found) > 1 for _, found in per_kernel)
    slots = _slots(op) if several else ()
    tiles = tiles_of(op, kernels)
    classes = _with_folded(rank_classes(op, MAX_RANK), tiles)
    lists: dict[tuple[Signature, ...], SignatureList] = {}
    records = []
    for kernel, found in per_kernel:
        for number, arrangement in enumerate(found):
            for ranks in classes if kernel.layout is Layout.FLAT else classes[:1]:
                name = _record_name(kernel, arrangement, number, ranks, len(classes))
                records.append(_record(op, kernel, arrangement, ranks, name, slots, lists))
    twins = _with_ints(op, records, lists)
    records += twins
    names = unique(record.name for record in records)
    named = [r if r.name == name else replace(r, name=name) for r, name in zip(records, names, strict=True)]
    records = _with_predicates(named)
    twins_of = {kernel.function for kernel in kernels if kernel.is_twin}
    paired = {id(kernel) for kernel in kernels if not kernel.is_twin and kernel.function in twins_of}
    flat = [r for r in records if id(r.kernel) in paired]
    own = [r for r in records if r not in flat]
    # Tensors may come flat although a record in blocks stands first (docs/measured-qhpi.md).
    own += [replace(r, name=f"{r.name}__flat") for r in flat if set(r.output_ranks) == {FLAT}]
    return Plan(
        op, kernels, tuple(own), slots, per_kernel[0][1][0], _param_orders(op, per_kernel),
        tuple(lists.values()), tiles, tuple(flat), bool(twins),
    )  # fmt: skip


def _with_ints(op: Op, records: list[Record], lists: dict[tuple[Signature, ...], SignatureList]) -> list[Record]:
    """Twins of the records with all params in the spec's order, which take scalar bools as Int32: ONNX's attributes and
    constants are such. The first byte is 0 or 1 in both. None at all where one of them would look like another record.
    """
    bools = [p.name for p in op.params if p.dtype.kind is Kind.BOOL and p.shape is None]
    seen = {(id(r.kernel), r.inputs.signatures, r.outputs.name) for r in records}
    made: list[tuple[Record, tuple[Signature, ...]]] = []
    for record in records if bools else ():
        places = [record.positions[param.name] for param in op.params]
        if places != sorted(places) or places[0] < 0:
            continue
        whole = {record.positions[name] for name in bools}
        signatures = tuple(
            s._replace(element="Int32") if at in whole else s for at, s in enumerate(record.inputs.signatures)
        )
        key = (id(record.kernel), signatures, record.outputs.name)
        if key in seen:
            return []
        seen.add(key)
        made.append((record, signatures))
    return [replace(r, name=f"{r.name}__ints", inputs=named(op, list(given), lists)) for r, given in made]


def _with_folded(classes: list[dict[str, int]], tiles: Tiles) -> list[dict[str, int]]:
    """Large tensors of rank 5 are given to kernels in four dimensions."""
    folded = dict.fromkeys(classes[0], FLAT)
    return [*classes, folded] if tiles.folds and folded not in classes else classes


def _with_predicates(records: list[Record]) -> list[Record]:
    """The runtime chooses by inputs alone (docs/measured-qhpi.md): records that differ in outputs only look at them."""
    outputs: dict[str, set[str]] = {}
    for record in records:
        outputs.setdefault(record.inputs.name, set()).add(record.outputs.name)
    several = {inputs for inputs, found in outputs.items() if len(found) > 1}
    return [replace(r, checks_outputs=True) if r.inputs.name in several else r for r in records]


def arrangement_key(kernel: Kernel) -> Key:
    """What a record can say of an arrangement: the element types in order, and the number of outputs."""
    combination = kernel.combination

    def key(op: Op, arrangement: Arrangement) -> object:
        types = {tensor.name: tensor.dtype.of(combination).qhpi for tensor in op.inputs}
        types |= dict.fromkeys(arrangement.nulls, NULL)
        inputs = [types[name] for name, count in arrangement.inputs for _ in range(count)]
        params = [param_arrives_as(p) for n in arrangement.params for p in op.params if p.name == n]
        return tuple(inputs + params), sum(count for _, count in arrangement.outputs)

    return key


def _slots(op: Op) -> tuple[Slot, ...]:
    """What wrappers are given: position of what may be absent or moves, count of what is variadic."""
    names = []
    moving = False
    for tensor in op.inputs:
        if tensor.optional or moving:
            names.append(tensor.name)
        if tensor.variadic:
            names.append(count_of(tensor.name))
        moving = moving or tensor.optional or tensor.variadic is not None
    names += [count_of(tensor.name) for tensor in op.outputs if tensor.variadic]
    names += [param.name for param in op.params]
    fields = unique(name.replace(" ", "_") for name in names)
    return tuple(Slot(name, field) for name, field in zip(names, fields, strict=True))


def count_of(tensor: str) -> str:
    """Name of the slot with the count of a variadic tensor: no name of a spec has a blank."""
    return f"{tensor} count"


def slot_values(slots: tuple[Slot, ...], arrangement: Arrangement) -> tuple[int, ...]:
    """The values of the slots for one arrangement."""
    counts = {count_of(name): count for name, count in arrangement.inputs + arrangement.outputs}
    return tuple(counts.get(s.name, arrangement.position(s.name)) for s in slots)


def _param_orders(op: Op, per_kernel: list[tuple[Kernel, list[Arrangement]]]) -> tuple[Order, ...] | None:
    """Every arrangement that has a record, as the validator sees it."""
    if not op.params:
        return None
    rows: list[Order] = []
    by_types = {qhpi_types(op, kernel.combination): found for kernel, found in per_kernel}
    for row, combination in enumerate(op.combinations):
        found = by_types.get(qhpi_types(op, combination), [])
        rows += dict.fromkeys(arrangement.order(row) for arrangement in found)
    return tuple(rows)


def _record_name(kernel: Kernel, arrangement: Arrangement, number: int, ranks: dict[str, int], classes: int) -> str:
    """Unique in the package: the kernel's label, what is given where that varies, the rank class where that varies."""
    parts = [kernel.label]
    if number:
        tensors = [(n, count) for n, count in arrangement.inputs + arrangement.outputs if n not in arrangement.nulls]
        given = [name if count == 1 else f"{name}{count}" for name, count in tensors]
        parts.append("_".join([*given, *arrangement.params]))
    if classes > 1 and kernel.layout is Layout.FLAT:
        numbers = [ranks[name] for name, _ in arrangement.inputs + arrangement.outputs]
        parts.append("r" + "".join(map(str, numbers if len(set(numbers)) > 1 else numbers[:1])))
    return "__".join(parts)


def _record(
    op: Op, kernel: Kernel, arrangement: Arrangement, ranks: dict[str, int], name: str, slots: tuple[Slot, ...],
    lists: dict[tuple[Signature, ...], SignatureList],
) -> Record:  # fmt: skip
    by_name = {tensor.name: tensor for tensor in op.tensors}
    # Precomputation reads params, and constants in TCM are not there yet (docs/measured-qhpi.md).
    kept = any(keeps(op, k) for k in op.kernels)
    in_ddr = {tensor.name for tensor in in_places_of_params(op)} if kept else set()
    inputs = [
        ABSENT
        if tensor in arrangement.nulls
        else _input_signature(by_name[tensor], kernel, ranks[tensor], tensor in in_ddr)
        for tensor, count in arrangement.inputs
        for _ in range(count)
    ]
    for param in arrangement.params:
        spec = next(p for p in op.params if p.name == param)
        place = Placement.DDR if kept else Placement.EITHER
        inputs.append(Signature(param_arrives_as(spec), "QHPI_LAYOUT_FLAT_4", Storage.DIRECT, place))
    outputs = [
        _tensor_signature(by_name[tensor], kernel, ranks[tensor])
        for tensor, count in arrangement.outputs
        for _ in range(count)
    ]
    resources = " | ".join(RESOURCE_BITS[r] for r in kernel.resources) or "0"
    values = slot_values(slots, arrangement)
    output_ranks = tuple(ranks[tensor] for tensor, count in arrangement.outputs for _ in range(count))
    positions = {param.name: arrangement.position(param.name) for param in op.params}
    return Record(
        name, kernel, values, named(op, inputs, lists), named(op, outputs, lists), resources, output_ranks, positions
    )


def _input_signature(tensor: TensorSpec, kernel: Kernel, rank_class: int, in_ddr: bool) -> Signature:
    signature = _tensor_signature(tensor, kernel, rank_class)
    return signature._replace(placement=Placement.DDR) if in_ddr else signature


def _tensor_signature(tensor: TensorSpec, kernel: Kernel, rank_class: int) -> Signature:
    dtype = tensor.dtype.of(kernel.combination)
    blocks = kernel.layout is Layout.CROUTON and not tensor.static and 4 in tensor.ranks
    if blocks:
        layout = CROUTONS.get(BYTES.get(dtype.qhpi, 0), "")
        return Signature(dtype.qhpi, layout, kernel.storage, kernel.placement)
    return Signature(dtype.qhpi, f"QHPI_LAYOUT_FLAT_{rank_class}", Storage.DIRECT, kernel.placement)
