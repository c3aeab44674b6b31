"""The findings of build and verify (OPK400 to OPK469), as data for `opkg explain`."""

from __future__ import annotations

from opkg.verify.rules import catalog as catalog_rules

# id: (title, explanation). Joined to the catalog of all findings by `opkg/spec/catalog.py`.
ENTRIES: dict[str, tuple[str, str]] = {
    "OPK400": (
        "compiler error",
        "The C++ compiler rejected the package. The place is the compiler's own; in a generated file the cause is "
        "nearly always a declaration in your kernel file that differs from the generated one.",
    ),
    "OPK401": (
        "kernel not defined",
        "The spec names a kernel function that no file of the package defines. Define it in the kernel's body file "
        "with the signature that the generated kernels header declares (check the spelling and the namespace), or "
        "let `opkg new` write a first one.",
    ),
    "OPK402": (
        "build failed",
        "make failed without an error that the compiler gave a place for: a missing file, a linker error, or a "
        "Makefile from another version. The message holds the last lines; run the command it names to see all.",
    ),
    "OPK403": (
        "generated files missing or not current",
        "build and verify work on generated files, which are missing or belong to another state of the spec. Run "
        "`opkg generate`.",
    ),
    "OPK404": (
        "body file missing",
        "A kernel's `body` names a file that does not exist under the project root.",
    ),
    "OPK405": (
        "compiler warning",
        "The C++ compiler warned about a kernel file of yours, or about generated code: then the place is the line of yours "
        "that asked for the code, or the line of the spec that it was made from. The package was built nevertheless.",
    ),
    "OPK406": (
        "package not built",
        "verify needs the package for an interface that no target of the spec generates.",
    ),
    "OPK410": (
        "reference not found",
        "The module of `reference: module:function` is looked up beside the spec file, then in the project root. A "
        "dotted module `a.b` is the file `a/b.py`.",
    ),
    "OPK411": (
        "reference cannot be loaded",
        "Importing the reference's module raised an exception. Reference modules may import numpy and modules that lie "
        "beside them.",
    ),
    "OPK412": (
        "reference has no such function",
        "The module was loaded but does not define a callable of that name.",
    ),
    "OPK413": (
        "reference raised an exception",
        "The reference function failed for a generated case. It is called with keyword arguments: every input and "
        "param by its name; an absent optional input is None, a variadic one a list.",
    ),
    "OPK414": (
        "reference returned the wrong shape",
        "The shape of an array that the reference returned differs from what the spec's shape rule gives. One of the "
        "two is wrong.",
    ),
    "OPK415": (
        "reference returned the wrong type",
        "A reference returns arrays of real numbers (whole numbers for integer outputs, bools for bool outputs).",
    ),
    "OPK416": (
        "reference returned the wrong number of outputs",
        "With one output a reference returns one array; with several, a tuple or list with one array each; a variadic "
        "output adds as many arrays as it has tensors.",
    ),
    "OPK417": (
        "reference returned NaN for a quantized output",
        "A quantized tensor cannot hold NaN: the reference must define the result for every input that the "
        "constraints allow, or a constraint must forbid it.",
    ),
    "OPK418": (
        "op has no reference",
        "Without a reference there is nothing to compare a kernel's results with. Write `compute:` or "
        "`reference: module:function`.",
    ),
    "OPK420": (
        "no case satisfies the constraints",
        "The case generator tried many shapes and params and none passed the op's shape rules and constraints. Add an "
        "example under `tests: cases:`, from which verify goes on.",
    ),
    "OPK421": (
        "test case violates the spec",
        "One of the spec's own test cases cannot be completed: what it fixes contradicts the op's shape rules or "
        "constraints.",
    ),
    "OPK422": (
        "no such case",
        "`--case` names a case of an op as the table of failures prints it: `u8-007`, or `u8-NAME` for the spec's own.",
    ),
    "OPK423": (
        "no such op",
        "`--op` names an op of the specs that are verified.",
    ),
    "OPK424": (
        "computation without a value",
        "In this case the `compute:` of the op has no value: operands have shapes that do not broadcast, or an axis is "
        "not there. Constraints must forbid such calls.",
    ),
    "OPK425": (
        "computation of another shape",
        "The value that `compute:` gives an output has another shape than the spec's shape rule says.",
    ),
    "OPK426": (
        "computation and reference differ",
        "The op has both `compute:` and `reference:`, and they disagree by more than the rounding of float64 arithmetic. "
        "One of the two is wrong.",
    ),
    "OPK430": (
        "machine not available",
        "A machine that `--on` names needs a tool that is not installed. `opkg doctor` shows what was found.",
    ),
    "OPK431": (
        "unknown machine",
        "`--on` takes machines separated by commas: host, htp, executorch, onert, openvino, hexagon (all architectures that "
        "the emulator here runs), hexagon-v66, hexagon-v68, hexagon-v73.",
    ),
    "OPK432": (
        "runner cannot be built",
        "opkg compiles its runners on first use with the C++ compiler; that failed. The message holds the compiler's "
        "first error.",
    ),
    "OPK433": (
        "runner failed",
        "A runner ended without results. The message holds what it wrote.",
    ),
    "OPK434": (
        "function that a Hexagon program does not have",
        "A kernel calls a function that neither the package nor opkg's small run time for Hexagon defines. The run time "
        "has the functions that the headers in opkg/sim/freestanding declare: mathematics, memory, strings, snprintf. "
        "On a device the function may exist; on the hexagon machine the kernel cannot run with it.",
    ),
    "OPK435": (
        "instruction that the emulator misreads",
        "No version of qemu has HVX floating point. Most such instructions end a kernel with SIGILL, but six are run as "
        "another instruction, without a word: negation of sf and hf, conversions from hf to h and uh and from ub to hf, "
        "and sf from qf32. Code that uses one is refused. Generated kernels take their portable path where "
        "OPKG_HVX_FLOAT is 0 (v68, v73), and compute floats in whole numbers where HVX has none (v66); kernels of yours "
        "can leave such instructions out: `#if OPKG_HVX_FLOAT_UNIT` (opkg/hvx_float.h), which is 0 in both.",
    ),
    "OPK436": (
        "element types that no model has",
        "`opkg verify --on executorch` puts ops into models in float32, with activations in 8 bits (ufixed8) and in 16 bits "
        "(ufixed16), which are the modes of the quantizer. Kernels for other element types (float16, sfixed8, ...) are never "
        "called from such a model; the other machines verify them.",
    ),
    "OPK437": (
        "compiled code may differ from run to run",
        "clang for Hexagon decides some things by the addresses of its own data, which Linux draws anew for each process: "
        "two compiles of one file can give different, equally right code with other costs. opkg and the generated build files "
        "run it with `setarch -R`, which fixes the addresses; here that command is missing or not permitted (Docker's default "
        "seccomp profile forbids it). Results are right all the same; packets that `opkg bench` counts may vary.",
    ),
    "OPK438": (
        "cases not run",
        "A machine stopped before its last case: three cases in a row did not end within --timeout seconds, as with a "
        "kernel that loops for ever, or --fail-fast was given and a case failed. The message says how many are left.",
    ),
    "OPK439": (
        "context binary not understood",
        "`opkg graph` reads which ops run in a prepared graph from the backend's context binary, whose layout is not documented. "
        "It was measured with the libraries of onnxruntime-qnn 2.5.0 and 2.7.0 (QNN 2.49 and 2.51); another version may write "
        "it otherwise. Nothing is counted then.",
    ),
    "OPK440": (
        "verification failed",
        "A kernel's result differs from the reference by more than the tolerance, or a case did not run to its end. "
        "The report shows the worst elements and the command that repeats the case.",
    ),
    "OPK466": (
        "generated code does not compile",
        "The C++ compiler rejected generated code. The place is the line of the spec that the code was made from: its "
        "`compute:`, a param, a kernel's entry, or the op; the hint has the compiler's words and its own place. When the spec "
        "is right, this is a fault of opkg's: please report it with the spec.",
    ),
    "OPK467": (
        "sanitizer report",
        "A kernel that was built with --sanitize did what C++ forbids: it read or wrote past an allocation, overflowed, raced or "
        "leaked. The place is the innermost line of yours in the call stack; where only generated code is in it, the line of "
        "the spec that the code was made from. The hint repeats the case.",
    ),
    **catalog_rules.ENTRIES,
}
