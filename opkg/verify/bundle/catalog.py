"""Catalog of OPK796 to OPK799: bundles for devices."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK796",
        "graph is not prepared for a SoC",
        "`opkg bundle` prepares the graph of each case with the backend's x86 library, as for the SoC. The backend refused "
        "one; the message is its own.",
    ),
    Entry(
        "OPK797",
        "context names a kernel that the library has not",
        "A context holds the name of each kernel (`package::kernel`), and nothing else of the package. On a device whose library "
        "lacks the name, it ends in 5005. Both halves must be built from the specs that the context was prepared with.",
    ),
    Entry(
        "OPK798",
        "QNN's libraries for the device are missing",
        "A device needs libQnnHtp.so, libQnnHtpPrepare.so, libQnnSystem.so, the stub (all for ARM) and the skel (for the DSP), "
        "all of one release. For Linux with glibc they are in PyPI's onnxruntime-qnn for aarch64: pip download onnxruntime-qnn "
        "--platform manylinux_2_34_aarch64 --only-binary :all: --no-deps, and unzip. For Android they are in Qualcomm's SDK.",
    ),
    Entry(
        "OPK799",
        "no bundle for this",
        "`opkg bundle` makes bundles for qnn-net-run, on Linux or Android; for ONNX Runtime, of packages with the target "
        "onnxruntime, on Linux, for which its wheels are; for ExecuTorch, of packages with the target executorch-builder, on "
        "Android: it registers op packages for Android and x86 only.",
    ),
)
