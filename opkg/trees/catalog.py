"""What `opkg explain` says of findings on foreign source trees: `opkg executorch intree`, `opkg onert`, `opkg openvino`."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK360",
        "name taken in the checkout",
        "A file or an entry of a list has a name that the package would use, and opkg did not put it there: it is in the "
        "checkout's own code, or another project put it in. Ops of a package have the package's name in front of theirs; "
        "ops of qti.aisw have QNN's own names, as upstream's have. In a tree of onert an operation has the name of the op; "
        "another one of that name is the tree's own, or of another project. Nothing is written.",
        "package: {name: qti.aisw}\nops:\n  Elu: ...      # upstream has op_elu.py",
        "package: {name: acme.nn}\nops:\n  Elu: ...      # becomes op_acme_nn_elu.py",
    ),
    Entry(
        "OPK361",
        "checkout is not as expected",
        "Lists are found by the structure of the file: a class, a function, a variable of a certain name, one entry a "
        "line. The file named is missing or looks different, so that nothing can be put into it safely. Another version "
        "than this opkg knows may be the reason: ExecuTorch 1.2 to 1.5; onert from 2021 to 2026-04; OpenVINO from 2024.0 to the "
        "beginning of 2026. Or an edited line uses a name whose import would be taken out, or imports a module that "
        "would go. Nothing is written; with a warning, an entry stays that may be the checkout's own.",
        "opkg executorch intree pytorch/",
        "opkg executorch intree pytorch/executorch/",
    ),
    Entry(
        "OPK362",
        "torch op that has a builder in the checkout",
        "The backend keeps one builder, and the quantizer one rule, for each torch op: the one that is imported last. Two "
        "in one tree would depend on the names of their files. --existing replace puts ours first and keeps theirs for the "
        "calls that the spec does not allow; --existing beside leaves theirs and takes the torch op out of ours.",
        "torch: aten.hardswish.default   # op_hardswish.py has it",
        "torch: aten.softplus.default",
    ),
    Entry(
        "OPK363",
        "inserted text was edited",
        "What opkg put into the checkout is not what it was; laying it out anew or taking it out would lose the edit. "
        "Nothing is written. Move the edit to the spec and undo it in the checkout, or delete the entry or file there: "
        "the next run puts it in again.",
    ),
    Entry(
        "OPK364",
        "checkout is not up to date",
        "With --check: the checkout lacks something that the specs ask for, or has something that they do not ask for "
        "any more. Run the command without --check.",
    ),
    Entry(
        "OPK365",
        "not put into a checkout",
        "The fusion that `pattern:` asks for needs `get_qnn_pass_manager_cls` and `QnnQuantizer` of ExecuTorch 1.4 and "
        "later; this checkout has them not. Nor is there a layout for checkouts of older releases "
        "(`executorch:` of the package).",
    ),
    Entry(
        "OPK366",
        "record of checkouts cannot be read",
        "intree.json of the project says what was put into which checkout. As long as it is there and cannot be read, "
        "opkg does nothing. Restore it from version control, or delete it: opkg then looks in the checkout for its own "
        "files and entries, by their marks or by the text that the specs ask for.",
    ),
    Entry(
        "OPK367",
        "no builders for this ExecuTorch",
        "`executorch` of a package names the release whose backend the generated Python package is for. What builders need "
        "differs from release to release; docs/executorch.md lists those that are known.",
        "package: {executorch: '0.4'}",
        "package: {executorch: '1.0'}",
    ),
    Entry(
        "OPK368",
        "not in this ExecuTorch",
        "The release that `executorch` names has no pipeline of passes that fusions could be put into: the op is generated "
        "without its pattern.",
    ),
    Entry(
        "OPK370",
        "no operations for this tree",
        "`opkg onert apply` and `remove` are about the ops of packages that have the target onert, `opkg openvino apply` and "
        "`remove` about those with openvino-extension.",
        "package: {name: acme.nn, targets: [qnn-htp-qhpi]}",
        "package: {name: acme.nn, targets: [qnn-htp-qhpi, onert]}",
    ),
    Entry(
        "OPK371",
        "operation that lacks something",
        "With --require: an operation of the tree is not handled everywhere. A visitor of onert does nothing for operations "
        "that it has no visit for, so that a forgotten validator or shape inferer compiles; its absence shows at run time, or "
        "never. docs/onert.md says what each touch point does.",
    ),
    Entry(
        "OPK372",
        "operation without a kernel for onert",
        "The kernel of an operation of onert is generated from `compute:`, or is a flat one by hand. An op that has neither for "
        "any element types of onert is left out of the tree; the others are put in.",
        "kernels:\n  - {layout: crouton}",
        "kernels:\n  - {layout: crouton}\n  - {layout: flat}",
    ),
    Entry(
        "OPK373",
        "operator that the tree's schema does not have",
        "Loaders read an operator that `onert:` names by what flatc makes of Circle's schema, which opkg does not change: "
        "a new operator needs a number that models keep. Nothing is written.",
        "onert: {builtin: CUMSUMS, options: CumsumOptions}",
        "onert: {builtin: CUMSUM, options: CumsumOptions}",
    ),
    Entry(
        "OPK374",
        "kernel file that cannot go into a tree",
        "A kernel by hand goes into a tree of onert as one file: it is there, it includes the op's header and headers in "
        "angle brackets only, and the tree is compiled as C++17. Nothing is written.",
        '#include "nn_edge/shuffle.h"\n#include "helpers.h"',
        '#include "nn_edge/shuffle.h"\n#include <algorithm>',
    ),
    Entry(
        "OPK375",
        "tree of onert that is too old",
        "What is put into a tree uses what onert has had since the beginning of 2021: OperationValidator in the IR, "
        "ITensor::applyShape, dumpOpGeneric. The finding names what this tree lacks. Nothing is written.",
        "opkg onert apply ONE-1.9/",
        "opkg onert apply ONE-1.12/",
    ),
    Entry(
        "OPK376",
        "param and field of the schema that differ",
        "A loader reads a param from the field of the schema's table that has its name, or that `fields:` names: one value or "
        "a list, a whole or a real number, an enum of the schema for a param with `enum:`, whose numbers it has. Nothing is "
        "written.",
        "params:\n  padding: {dtype: int32}\nonert: {builtin: CONV, options: ConvOptions}",
        "params:\n  padding: {dtype: int32, enum: {SAME: 0, VALID: 1}}\nonert: {builtin: CONV, options: ConvOptions}",
    ),
    Entry(
        "OPK377",
        "tests that a tree cannot compile are left out",
        "The tests of an operation use what trees have had since the end of 2022: CompilerFactory in the core, CircleGen and "
        "GenModelTest in the tests of the API. In an older tree the operation itself is put in without those tests.",
    ),
    Entry(
        "OPK378",
        "op that does not go into a tree of OpenVINO",
        "What goes into OpenVINO's tree is an op of Snippets: one output, and an emitter of x64 code (OPK780 says why an op gets "
        "none). Other ops are left out; the library of the extension has them all.",
    ),
)
