"""Where the entries of an op stand in a tree of OpenVINO: files under all their names, and what an entry looks like.

Names and anchors are those of openvinotoolkit/openvino from 2024.0 to the beginning of 2026. What has no row here: node types
of the CPU plugin (`cpu_types.cpp`, `nodes_factory.cpp`), since an op without one becomes a Reference node, which calls
`evaluate`; the plugin's own shape inference, since an op without one infers by `validate_and_infer_types`; and CMake files,
which take in all files of the folders that new ones go to.
"""

from __future__ import annotations

from opkg.trees.anchors import Row

CPU = "src/plugins/intel_cpu/src"
SNIPPETS = "src/common/snippets/src"
OPS = "src/common/snippets"
EXTENSION = f"{CPU}/extension.cpp"
GENERATOR = f"{CPU}/emitters/snippets/x64/cpu_generator.cpp"
TOKENIZE = f"{SNIPPETS}/pass/collapse_subgraph.cpp"
SHAPES = (
    f"{CPU}/transformations/snippets/common/shape_inference.cpp",  # since the end of 2025
    f"{CPU}/transformations/snippets/x64/shape_inference.cpp",
)
_SHAPE = "{Name::get_type_info_static(), ...},"
_HAS_REGISTRY = r"\bSHAPE_INFER_PREDEFINED\(|\bmake_common_cpu_shape_infer_registry\("


def _include(name: str, paths: tuple[str, ...], folders: str, like: str, needs: str = "") -> Row:
    return Row(name, paths, rf'#include "((?:{folders})/[\w/]+)\.hpp"', f'#include "{like}"', needs=needs)


def _tokenize(arity: str) -> list[Row]:
    """The list of ops with one operand, or with several, in both its forms: types of a template, or calls in a chain."""
    scope = (rf"\bis_supported_{arity}_eltwise_op = ",)
    chained = r"\s+\|\| (?:ov::)?is_type<([\w:]+)>\(n\)\s*$"
    return [
        Row(f"tokenize_{arity}", (TOKENIZE,), r"\s+([\w:]+),\s*$", "ov::op::v0::Name,", "element", scope),
        Row(f"tokenize_{arity}_chain", (TOKENIZE,), chained, "|| ov::is_type<ov::op::v0::Name>(n)", "line", scope),
    ]


def _rows() -> tuple[Row, ...]:
    return (
        _include("extension_include", (EXTENSION,), "openvino|ov_ops|snippets|transformations", "ov_ops/name.hpp"),
        Row(
            "extension",
            (EXTENSION,),
            r"\s+OP_EXTENSION\(([\w:]+)\)",
            "OP_EXTENSION(ov::op::internal::Name) \\",
            macro="CPU_EXTENSIONS",
        ),
        _include("tokenize_include", (TOKENIZE,), "openvino|ov_ops|snippets|transformations", "snippets/op/name.hpp"),
        *_tokenize("unary"),
        *_tokenize("binary"),
        _include("generator_include", (GENERATOR,), "emitters/plugin/x64", "emitters/plugin/x64/name.hpp"),
        Row(
            "generator",
            (GENERATOR,),
            r"\s+jitters\[([\w:]+)::get_type_info_static\(\)\] =",
            "jitters[ov::op::v0::Name::get_type_info_static()] = ...;",
            "statement",
            (r"\bCPUTargetMachine::CPUTargetMachine\(",),
            until=r"\bsnippets::op::Fill::",
            tail=True,
        ),
        _include("shapes_include", SHAPES, "openvino|ov_ops|snippets|op|transformations", "op/name.hpp", _HAS_REGISTRY),
        Row(
            "shapes",
            SHAPES,
            r"\s+\{([\w:]+)::get_type_info_static\(\),",
            _SHAPE,
            "braced",
            (r"\bmake_common_cpu_shape_infer_registry\(", r"\bTRegistry registry"),
            tail=True,
            needs=_HAS_REGISTRY,
        ),
        Row(
            "shapes_macro",
            SHAPES,
            r"\s+SHAPE_INFER_PREDEFINED\(([\w:]+),\s*\w+\),",
            "SHAPE_INFER_PREDEFINED(Name, NumpyBroadcastShapeInfer),",
            "element",
            (r"\bTRegistry CPUShapeInferSnippetsFactory::specific_ops_registry\b",),
            tail=True,
            needs=_HAS_REGISTRY,
        ),
    )


ROWS = {row.name: row for row in _rows()}
