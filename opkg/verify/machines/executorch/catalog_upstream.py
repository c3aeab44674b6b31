"""The findings of `opkg executorch judge`, as data for `opkg explain`."""

from __future__ import annotations

# id: (title, explanation).
ENTRIES: dict[str, tuple[str, str]] = {
    "OPK446": (
        "no test could run",
        "ExecuTorch's operator tests of the Qualcomm backend could not be started with the builders of the project. The "
        "message holds what pytest said last. The tests need `pytest` beside ExecuTorch, and the generated packages.",
    ),
    "OPK447": (
        "an operator test of ExecuTorch fails with these builders",
        "The test passes with the builders that ExecuTorch brings, and fails with the generated ones: the program was not "
        "delegated as a whole, or its outputs differ from PyTorch's by more than the test allows. Usual causes: a param "
        "with another name, type or value than QNN's, inputs in another order, an axis that does not follow the layout.",
    ),
    "OPK448": (
        "a builder was not used",
        "The test passes, but no node of its program was made by a builder of these packages: the torch op does not reach "
        "the backend under the name that `torch:` gives, or the spec allows none of the calls. The hint says why calls "
        "were refused.",
    ),
    "OPK449": (
        "nodes were left to the backend's own builder",
        "The test passes, and a part of its nodes was made by the builders that ExecuTorch brings, because the spec does "
        "not allow these calls. The hint says why.",
    ),
}
