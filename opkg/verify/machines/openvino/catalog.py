"""The finding of `opkg verify --on openvino`, as data for `opkg explain`."""

from __future__ import annotations

ENTRIES: dict[str, tuple[str, str]] = {
    "OPK743": (
        "cases that OpenVINO cannot hold",
        "`opkg verify --on openvino` runs ops as extension ops on OpenVINO's CPU device. Left out are element types that it has "
        "not or that look to it like others of the op (uint8 beside ufixed8), one scale per channel, and calls without an input "
        "that has others behind it. The message says which cases were not run and why; the other machines run them.",
    ),
}
