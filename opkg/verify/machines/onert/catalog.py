"""The finding of `opkg verify --on onert`, as data for `opkg explain`."""

from __future__ import annotations

ENTRIES: dict[str, tuple[str, str]] = {
    "OPK460": (
        "cases that onert cannot hold",
        "`opkg verify --on onert` runs kernels as custom operators of onert. What such a kernel can be given is less than what "
        "a spec can say: float32, int32, bool8 and unsigned numbers of 8 bits (ufixed8, uint8), up to six dimensions, one scale "
        "for a tensor, no variadic tensors. The message says which cases were not run and why; the other machines run them.",
    ),
}
