"""What the backend's log and the builders' warnings mean, in one sentence with what helps."""

from __future__ import annotations

import re

from opkg.verify.judge.results import RawResult
from opkg.verify.machines.executorch.environment import QNN_INSTALL

# (what the log says, what it means and what helps), the most telling first.
KNOWN: tuple[tuple[str, str], ...] = (
    (
        r"14001|unknown custom config",
        f"these QNN libraries do not read the device configuration that ExecuTorch writes (error 14001): {QNN_INSTALL}",
    ),
    (
        r"Op pac\w+ target (\w+)|op pac\w+ target passed (\w+)",
        r"the op-package info names the target \1\2; on x86 it must be CPU, as package_info() says",
    ),
    (
        r"Error attempting to load dynamic library (?P<path>[^:]+): (?:[^:\n]+: )?(?P<why>[^\n]+)",
        r"the op package \g<path> cannot be loaded (\g<why>): run `opkg build`; a .pte names the library's full path",
    ),
    (
        r"interfaceProvider (\w+), err = 4006",
        r"the library exports no \1: it is another package's, or was built before the package was renamed (opkg build)",
    ),
    (
        r"Op package (\S+) validator function not found",
        r"QNN knows no op package '\1': the library registers another name, or the op-package info is for another "
        "platform than X86_64 (run `opkg generate` and `opkg build`)",
    ),
    (
        r'"([^"]+)" generated: could not create op',
        r"QNN found no kernel for the node \1 when it prepared the graph: none takes tensors of these element types, ranks "
        "and layouts",
    ),
    (
        r"Missing out variants: \{([^}]*)\}",
        r"\1 has no out variant, which a program needs where an op is not delegated",
    ),
    (
        r"Missing operator: \[\d+\] (\S+)",
        r"the program calls \1, for which ExecuTorch's runtime has no kernel: the op was not delegated",
    ),
    (
        r"'_OpNamespace' '(\w+)' object has no attribute '(\w+)'",
        r"torch has no op \1.\2 yet: call \1_executorch.register() before the model is made or exported",
    ),
    (
        r"No module named '(\w+_executorch)'",
        r"the generated Python package \1 is missing: run `opkg generate`",
    ),
)


def explained(result: RawResult) -> str:
    """The message of a result that is no success: the meaning of its log where it is known, else what was said."""
    text = "\n".join([result.message, *(line.text for line in result.log)])
    for pattern, meaning in KNOWN:
        found = re.search(pattern, text)
        if found is not None:
            said = found.expand(meaning)
            return f"{said} ({result.message})" if result.message else said
    return result.message
