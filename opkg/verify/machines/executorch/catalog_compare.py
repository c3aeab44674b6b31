"""The findings of `opkg executorch compare` (OPK441 to OPK445), as data for `opkg explain`."""

from __future__ import annotations

# id: (title, explanation).
ENTRIES: dict[str, tuple[str, str]] = {
    "OPK441": (
        "model file cannot be used",
        "A model file is a Python file that defines `model()`, which returns a torch.nn.Module, and `inputs()`, which "
        "returns a tuple of tensors; it may define `calibration()` and `evaluation()`, which return lists of such tuples. "
        "One is missing, returns something else or raised an exception, or the model fails in PyTorch. The place is the "
        "line of the file that the exception came from.",
    ),
    "OPK442": (
        "model cannot be exported",
        "torch.export does not take the model: what depends on the values of tensors, or code that torch cannot trace. "
        "The message is the first line of torch's own, the place the line of the model that it names.",
    ),
    "OPK443": (
        "a run of the model failed",
        "The model was exported, but could not be quantized, lowered or executed in one mode, with the packages (ours) or "
        "without them (stock), or the process of that run died. The other runs are not touched. The log that the hint "
        "names holds what the backend said. When stock fails in the same way, the cause is not in the packages.",
    ),
    "OPK444": (
        "the packages did not do the work",
        "No operator of the packages is in the lowered program, or one is there and none of its kernels was called. "
        "Usual causes: the spec has no `torch:` or `pattern:` that the model's operators match, or does not allow the "
        "call (the report lists what builders refused and why).",
    ),
    "OPK445": (
        "worse than stock",
        "With the packages more operators stay on the CPU, the program is split into more delegates, or the difference "
        "from PyTorch is larger by more than 1 dB than without them; or the comparison itself is doubtful, because the "
        "model computes something else each time it is made: seed every random generator that it uses but torch's, "
        "numpy's and Python's, which are seeded already.",
    ),
}
