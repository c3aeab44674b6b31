"""The target `qnn-htp-classic`: an op package in HTP's C++ interface (DEF_PACKAGE_OP), rebuilt for every SDK."""

from __future__ import annotations

from opkg.resources import render
from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.qnn_common import files
from opkg.targets.qnn_common.generated import findings, generated, priced
from opkg.targets.qnn_common.kernel_api import header_path, kernel_api
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.shared import common_headers, header, sdk_types, signed_elements
from opkg.targets.qnn_common.validation import Validation
from opkg.targets.qnn_htp_classic import externals
from opkg.targets.qnn_htp_classic.classes import HIGHEST_RANK, distinct
from opkg.targets.qnn_htp_classic.lint import lint
from opkg.targets.qnn_htp_classic.param_order import defaults, order
from opkg.targets.qnn_htp_classic.plan import make_plan
from opkg.targets.qnn_htp_classic.profiles import NEWEST, PROFILES, Profile, nearest_profile, profile_of
from opkg.targets.qnn_htp_classic.properties import declarations
from opkg.targets.qnn_htp_classic.rules import rule_calls

HEXAGON_DEFINES = " -DPREPARE_DISABLED"  # since SDK 2.15: code that only prepares graphs stays out of device builds


class ClassicTarget:
    """See `opkg.targets.artifact.Target`."""

    name = "qnn-htp-classic"
    summary = "QNN HTP op package in the C++ interface (DEF_PACKAGE_OP), with checks, kernels, rules and build files"

    def check(self, package: OpPackage) -> list[Diagnostic]:
        return [*_profile_findings(package), *(found for op in package.ops for found in lint(op)), *findings(package)]

    def render(self, package: OpPackage) -> list[Artifact]:
        package = priced(package, unsigned=False)
        base = files.folder(package, "classic")
        profile = profile_of(package.sdk) or NEWEST
        stems = {op.name: snake(op.name) for op in package.ops}
        sources = ["src/interface.cpp", *(f"src/{stem}.cpp" for stem in stems.values())]
        defines = f" -DTHIS_PKG_NAME={package.name}"
        tensor_header = render("qnn_htp_classic/htp_tensor.h.j2", profile=profile)
        made = generated(package, base, distinct, unsigned=False)
        has_defaults = any(param.optional for op in package.ops for param in op.params)
        return [
            *common_headers(),
            signed_elements(base, "HTP's C++ interface"),
            sdk_types(base, "QnnOpPackage.h"),
            Artifact(f"{base}/include/opkg/htp_tensor.h", tensor_header),
            *([header("qnn_htp_classic/param_default.h")] if has_defaults else []),
            *files.op_headers(package, base),
            *(Artifact(f"{base}/src/{stems[op.name]}.cpp", op_source(package, op, profile)) for op in package.ops),
            Artifact(f"{base}/src/package.h", _package("package.h.j2", package, profile)),
            Artifact(f"{base}/src/interface.cpp", _package("interface.cpp.j2", package, profile)),
            *made.artifacts,
            *files.build_files(package, base, "classic", sources, made.sources, defines, HEXAGON_DEFINES),
            *files.kernel_stubs(package),
            *externals.headers(package),
        ]


def _profile_findings(package: OpPackage) -> list[Diagnostic]:
    if profile_of(package.sdk) is not None:
        return []
    span = package.spans.get("sdk") or package.spans[""]
    known = ", ".join(profile.name for profile in PROFILES)
    hint = f"the nearest is '{nearest_profile(package.sdk).name}'; known: {known}"
    return [error("OPK220", f"no profile for SDK '{package.sdk}'", span, hint)]


def _package(template: str, package: OpPackage, profile: Profile) -> str:
    per_channel = [
        op.name for op in package.ops if any(t.quantization and t.quantization.axis is not None for t in op.tensors)
    ]
    return render(
        f"qnn_htp_classic/{template}",
        package=package,
        ops=[{"name": op.name, "identifier": op.identifier, "stem": snake(op.name)} for op in package.ops],
        namespace=package.cpp_namespace,
        guard=f"{package.cpp_namespace}_PACKAGE_H_".upper(),
        profile=profile,
        per_channel=per_channel,
        init_lines=_init_lines(),
        sdk_build_id="QNN_SDK_BUILD_ID",
    )


def _init_lines() -> list[str]:
    """What the package's init function registers."""
    before = ["#ifdef REGISTERS_BY_ITSELF", "  REGISTER_PACKAGE_OPS()", "  REGISTER_PACKAGE_OPTIMIZATIONS()", "#endif"]
    after = ("PARAM_ORDERS", "AXIS_PARAMS", "PER_CHANNEL_QUANTIZED_OPS")
    return [*before, *(f"  REGISTER_PACKAGE_{what}()" for what in after)]


def op_source(package: OpPackage, op: Op, profile: Profile) -> str:
    """The op's source file: validation, kernels, registrations."""
    api = kernel_api(op)
    plan = make_plan(op, api, package.cpp_namespace)
    return render(
        "qnn_htp_classic/op.cpp.j2",
        op=op,
        namespace=package.cpp_namespace,
        stem=snake(op.name),
        header=header_path(package, op),
        profile=profile,
        validation=Validation(op, None, HIGHEST_RANK, positional=True).lines(),
        plan=plan,
        defaults=defaults(op),
        param_order=order(op, package.cpp_namespace),
        properties=declarations(op),
        rules=rule_calls(op),
        functions=f"../{files.TO_ROOT}/{externals.header_path(op)}" if externals.functions(package, op) else "",
    )
