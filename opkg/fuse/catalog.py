"""Catalog of OPK760 to OPK779: fused ops of models."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK761",
        "file would be overwritten",
        "`opkg fuse` writes a model with the fused ops in place beside their project. A file of that name is there already, and "
        "nothing that exists is overwritten: choose another folder with --dir, or move it.",
    ),
    Entry(
        "OPK762",
        "runtime does not run the model",
        "Fused ops are held against what the model's own runtime computes. It refused the model, or is not installed: "
        "pip install 'opkg[onnx]' has onnxruntime, pip install 'opkg[openvino]' OpenVINO.",
    ),
    Entry(
        "OPK763",
        "fused op computes something else than the model",
        "For the values of a run of the model, the computation of a fused op is not what the runtime has computed at a place "
        "of it: further off than rounding explains. The op must not be used there. Please report it with the model.",
    ),
    Entry(
        "OPK764",
        "model with fused ops is not valid",
        "onnx's checker has something against the model with the fused ops in place, and it was not written. Check the "
        "model itself first: onnx.checker.check_model(path, full_check=True).",
    ),
    Entry(
        "OPK765",
        "fused op is not proved at a place",
        "A fused op is held against what the runtime computes wherever it stands in the model, except where a tensor has more "
        "than 4,194,304 elements or the runtime shows no value of it. There neither its computation nor its kernels were "
        "tried with the model's own numbers; the same op at other places, and on generated ones, was.",
    ),
)
