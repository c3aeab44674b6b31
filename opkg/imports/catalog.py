"""Catalog of OPK620 to OPK639: findings of `opkg import`."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK620",
        "nothing to import from",
        "A source of `opkg import` is a file of QNN's OpDef XML (.xml), an op of the installed onnx (`ai.onnx::Celu@12`, or a "
        "Python module with onnx.defs.OpSchema objects), or a schema of torch (`ns::op(Tensor x) -> Tensor`, or a .txt file "
        "with one a line). It must be readable and have at most 16 MiB.",
        "opkg import ops.json",
        "opkg import ops.xml",
    ),
    Entry(
        "OPK621",
        "file of yours in the way of an import",
        "`opkg import` writes new files only. `--dry-run --diff` shows what the import would say differently from the spec that "
        "is there; move it, or import into another folder with --out.",
    ),
    Entry(
        "OPK622",
        "package of an import not known",
        "Neither the sources nor --package give a name that a spec can have: dotted lower-case words.",
        "opkg import 'acme::scale(Tensor x, float by) -> Tensor' --package Acme",
        "opkg import 'acme::scale(Tensor x, float by) -> Tensor' --package acme.ops",
    ),
    Entry(
        "OPK623",
        "no XML that can be read",
        "The file is not well-formed, or has a document type, or is larger than such files are: 16 MiB, 200,000 elements, "
        "32 levels. Entities are never expanded and nothing is fetched.",
    ),
    Entry(
        "OPK624",
        "element of OpDef XML in the wrong place",
        "The elements and attributes of QNN's OpDef XML are those that its own generator reads: an element that it does not "
        "know, one too many, or one that is required and missing, is an error, one out of order a warning. A supplement speaks "
        "of an op, input, output or param that is defined in one of the files.",
        "<Input><Name>x</Name><Type>FLOAT_32</Type> ...",
        "<Input><Name>x</Name><Mandatory>true</Mandatory><Datatype>FLOAT_32</Datatype> ...",
    ),
    Entry(
        "OPK625",
        "value in OpDef XML",
        "A value is none of its vocabulary (element types, ranks, layouts, encodings, backends), or no boolean, number or name "
        "where one has to stand. As a warning: QNN's own reader takes the value for something else than it looks like (`1` is "
        "false).",
        "<Datatype>FLOAT_23</Datatype>",
        "<Datatype>FLOAT_32</Datatype>",
    ),
    Entry(
        "OPK626",
        "declared twice",
        "Two declarations of one op (or of one tensor or param of an op) have the same name, or names that become one in C++ and "
        "file names. The spec has no place for both.",
    ),
    Entry(
        "OPK629",
        "carried under another name",
        "Names of a spec become C++ and Python names, and packages have lower-case names. Graphs name packages, ops and params: "
        "where these have another name in the spec, models have to be converted with it.",
    ),
    Entry(
        "OPK630",
        "no schema of torch",
        "A schema is `ns::op.overload(Tensor x, Tensor? bias, int[2] kernel=1, *, bool flag=False) -> (Tensor y, Tensor mask)`: "
        "a type and a name for each argument, types of results behind the arrow.",
        "opkg import 'acme::scale(x, float by) -> Tensor'",
        "opkg import 'acme::scale(Tensor x, float by) -> Tensor'",
    ),
    Entry(
        "OPK631",
        "no such OpSchema",
        "Schemas of ONNX are named `domain::Op@version` (`::Celu` is the newest of ONNX's own) and looked up in the installed "
        "package onnx, or stand in a Python module, as objects at its top or registered with onnx.defs. The module is run.",
        "opkg import ai.onnx::Celuu --package acme.ops",
        "opkg import ai.onnx::Celu@12 --package acme.ops",
    ),
    Entry(
        "OPK632",
        "declaration not carried",
        "What is declared cannot be an op of a spec, for the reason that the message gives. The other ops are carried.",
    ),
    Entry(
        "OPK627",
        "left out of an import",
        "The source says it, and a spec has no place for it; what is imported means the same without. The hint has the reason.",
    ),
    Entry(
        "OPK628",
        "to be stated by hand",
        "A spec needs it, and the source does not say it. The spec validates as it is, with what stands there as a guess: the "
        "mark TODO is at the place, with the reason. State it, then delete the mark.",
    ),
)
