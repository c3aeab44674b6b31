"""The target `qnn-htp-qhpi`: an op package over QHPI, the C interface that outlives runtime versions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING

from opkg.kernels.tileable import converted_whole
from opkg.resources import render, sim_header
from opkg.spec.arriving import distinct_kernels
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.kept import KEPT, bytes_call, keeps, moves_blocks
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.qnn_common import files
from opkg.targets.qnn_common.generated import findings, generated, priced
from opkg.targets.qnn_common.kernel_api import header_path, kernel_api
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.shared import common_headers, header, qnn_abi, shared
from opkg.targets.qnn_common.validation import MAX_RANK, Validation
from opkg.targets.qnn_htp_qhpi.blocks import (
    beside,
    by_columns,
    by_pixels,
    has_beside,
    has_flat,
    lint_blocks,
    with_blocks,
    with_twins,
)
from opkg.targets.qnn_htp_qhpi.lint import lint, lint_package
from opkg.targets.qnn_htp_qhpi.parted import parted_call
from opkg.targets.qnn_htp_qhpi.pieces import Pieces, pieces
from opkg.targets.qnn_htp_qhpi.plan import Plan, make_plan
from opkg.targets.qnn_htp_qhpi.records import Tables
from opkg.targets.qnn_htp_qhpi.signatures import shared_signatures
from opkg.targets.qnn_htp_qhpi.tiling_text import tiling_text
from opkg.targets.qnn_htp_qhpi.wrappers import costs, keepers, places, wrapper

if TYPE_CHECKING:
    from opkg.targets.qnn_htp_qhpi.rewrite import Rewrites

_KEPT_HEADER = "opkg/qhpi_kept.h"
LAYOUT_HEADER = "layouts.h"
PARTED_HEADER = "parted.h"
TILING_HEADERS = ("fold.h", "signed_inputs.h", "tiling.h", "tiling_params.h")


class QhpiTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "qnn-htp-qhpi"
    summary = "QNN HTP op package over QHPI (C interface), with checks, kernel records and build files"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        lints = [*lint_package(package), *(found for op in package.ops for found in lint(op))]
        return [*lints, *lint_blocks(package), *findings(package), *_rule_findings(package)]

    def render(self, package: OpPackage) -> list[Artifact]:
        package = with_blocks(priced(package, unsigned=True))
        base = files.folder(package, "qhpi")
        stems = {op.name: snake(op.name) for op in package.ops}
        sources = ["src/interface.cpp", *(f"src/{stem}.cpp" for stem in stems.values())]
        own, core = _rewrites(package)
        sources += ["src/core-rules.cpp"] if core else []
        kept = any(keeps(op, kernel) for op in package.ops for kernel in distinct_kernels(op))
        made = generated(package, base, distinct_kernels, unsigned=True, keeping=True)
        plans = [make_plan(with_twins(op)) for op in package.ops]
        # Rules of ops may have the same names.
        apart = {"src/core-rules.cpp", *(f"src/{stems[name]}.cpp" for name in own)}
        return [
            *common_headers(),
            qnn_abi(),
            _abi(),
            *(header(f"qnn_htp_qhpi/{name}") for name in _headers(package, kept, bool(own or core))),
            *files.op_headers(package, base, qhpi=True),
            *(
                Artifact(f"{base}/src/{stems[op.name]}.cpp", op_source(package, op, plan, own.get(op.name)))
                for op, plan in zip(package.ops, plans, strict=True)
            ),
            *([Artifact(f"{base}/src/core-rules.cpp", _package("core_rules.cpp.j2", package, core))] if core else ()),
            Artifact(f"{base}/src/package.h", _package("package.h.j2", package, core, plans=plans)),
            Artifact(f"{base}/src/interface.cpp", _package("interface.cpp.j2", package, core, bool(own or core))),
            *made.artifacts,
            *files.build_files(
                package, base, "qhpi", sources, made.sources, together=[s for s in sources if s not in apart]
            ),
            *files.kernel_stubs(package),
        ]


@cache
def _abi() -> Artifact:
    return shared("qhpi_abi.h", sim_header("opkg/qhpi_abi.h"))


def _has_rules(package: OpPackage) -> bool:
    """Packages without rules do not load the rule language."""
    return any(op.rules for op in package.ops)


def _rule_findings(package: OpPackage) -> list[Diagnostic]:
    if not _has_rules(package):
        return []
    from opkg.targets.qnn_htp_qhpi.rewrite_lint import lint_rules

    return lint_rules(package)


def _rewrites(package: OpPackage) -> tuple[dict[str, Rewrites], tuple[Rewrites, ...]]:
    """Rewrites of the package's ops by op name, and those of core ops."""
    if not _has_rules(package):
        return {}, ()
    from opkg.targets.qnn_htp_qhpi.rewrite import rewrites

    return rewrites(package)


def _headers(package: OpPackage, kept: bool, rewrites: bool) -> list[str]:
    """Names of the headers that only this interface has."""
    layouts = any(kernel.also_blocks for op in package.ops for kernel in op.kernels)
    parted = any(moves_blocks(op, kernel) for op in package.ops for kernel in op.kernels)
    return [
        "qhpi_tensor.h",
        "records.h",
        *(["qhpi_kept.h"] if kept else []),
        *TILING_HEADERS,
        *([LAYOUT_HEADER] if layouts else []),
        *([PARTED_HEADER] if parted else []),
        *(["rewrite.h", "rewrite_build.h"] if rewrites else []),
    ]


def _package(
    template: str, package: OpPackage, core: tuple[Rewrites, ...], has_rules: bool = False, plans: Sequence[Plan] = ()
) -> str:
    signatures = shared_signatures(plan.lists for plan in plans)
    return render(
        f"qnn_htp_qhpi/{template}",
        package=package,
        ops=[
            {"name": op.name, "stem": snake(op.name), "flat": has_flat(op), "beside": has_beside(package, op)}
            for op in package.ops
        ],
        namespace=package.cpp_namespace,
        guard=f"{package.cpp_namespace}_PACKAGE_H_".upper(),
        core=core,
        has_rules=has_rules,
        signatures=signatures,
        laid=wrap(", ".join(s.name for s in signatures.laid), 116),
    )


def op_source(package: OpPackage, op: Op, plan: Plan, own: Rewrites | None = None) -> str:
    """The op's source file: validation, wrappers, rules, records. `op`: one of with_blocks()."""
    api, tiling = kernel_api(op), tiling_text(plan)
    priced_by = costs(plan, api)
    headers = {"opkg/op_config.h", "opkg/qhpi_tensor.h", *(["opkg/rewrite_build.h"] if own else [])}
    headers |= {_KEPT_HEADER} if any(keeps(op, kernel) for kernel in plan.kernels) else set()
    headers |= {f"opkg/{LAYOUT_HEADER}"} if plan.flat else set()
    wrappers = [wrapper(plan, api, kernel) for kernel in plan.kernels if not kernel.is_twin]
    keeping = keepers(op, wrappers)
    tables = Tables(op, priced_by, keeping)
    parted = parted_call(plan, api) if plan.flat else None
    headers |= {f"opkg/{PARTED_HEADER}"} if parted is not None else set()
    prepared = f"opkg::fold(op, {tiling.value})" if tiling and tiling.folds else ""
    if not prepared and _takes_signed(op):
        prepared = "opkg::unsigned_inputs(op)"
        headers |= {"opkg/signed_inputs.h"}
    return render(
        "qnn_htp_qhpi/op.cpp.j2",
        op=op,
        package=package.name,
        namespace=package.cpp_namespace,
        stem=snake(op.name),
        header=header_path(package, op),
        validation=_checks(plan, own).lines(),
        wrappers=[each for each in wrappers if not each.kept],
        keepers=keeping,
        places=places(plan),
        costs=priced_by,
        plan=plan,
        records=tables.rows(plan.records),
        kept_namespace=KEPT,
        kept=bytes_call(op) if _KEPT_HEADER in headers else "0",
        flat=tables.rows(plan.flat),
        parts=parted,
        pays=_pays(plan) if parted is None else f"{snake(op.name)}_pays",
        beside=tables.rows(beside(package, plan)),
        tables=tables,
        tiling=tiling,
        prepared=prepared,
        headers=sorted(headers | set(tiling.headers if tiling else ())),
        rewrites=own,
        early=own is not None and any(moment.name == "early_rewrite" for moment in own.moments),
    )


def _pays(plan: Plan) -> str:
    """The function that says of an op's tensors whether they are better in blocks: as such for elementwise ops."""
    if not plan.flat or not by_pixels(plan.op):
        return "opkg::blocks_pay"
    if by_columns(plan.op):
        return "opkg::columns_pay"
    flat = sum(1 << at for at, tensor in enumerate(plan.op.inputs) if tensor.static or 4 not in tensor.ranks)
    return f"opkg::rows_pay<{flat:#x}>"


def _checks(plan: Plan, own: Rewrites | None) -> Validation:
    """Rules may cut an op into pieces of their own, so that what it takes is not known."""
    whole = pieces(plan) if own is None else Pieces()
    return Validation(
        plan.op,
        plan.orders,
        positional=True,
        more=whole.lines,
        pieces=whole.of,
        images=whole.images,
        bools_as_ints=plan.bools_as_ints,
    )


def _takes_signed(op: Op) -> bool:
    """Whether inputs may be signed, of 16 bits and have five dimensions."""
    wide = [tensor for tensor in op.inputs if tensor.ranks.high >= MAX_RANK]
    return any(converted_whole(t.dtype.of(kernel.combination)) for kernel in op.kernels for t in wide)
