"""Catalog of OPK700 to OPK719: files of models."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK700",
        "no model file",
        "The file is none that opkg reads as a model: its name ends in none of the suffixes that the message "
        "lists, or it is a folder, or empty.",
        "opkg fuse model.pt",
        "opkg fuse model.onnx",
    ),
    Entry(
        "OPK701",
        "ONNX model cannot be read",
        "The file is no ONNX model, is cut off, is of an opset older than 13, has a sparse initialiser, or a node that reads "
        "what nothing before it gives. A package that is missing is installed with pip install 'opkg[onnx]'.",
    ),
    Entry(
        "OPK702",
        "model without fixed sizes",
        "An input of the model has an open dimension: how many bytes an op moves, and whether its operands fit, is not known. "
        "Give the dimension a size (--dim batch=1), or export the model with fixed sizes. Tensors in between whose shapes "
        "are not known are no error: ops at them are not taken, with that as the reason.",
        "opkg fuse model.onnx",
        "opkg fuse model.onnx --dim batch=1",
    ),
    Entry(
        "OPK703",
        "op not known",
        "A warning: the model has an op of which opkg knows nothing but its operands. It stays as it is, and ops on both sides "
        "of it are looked at as ever, as far as the shapes behind it are known.",
    ),
    Entry(
        "OPK704",
        "data of a model is missing",
        "A constant of the model lies in another file, which is not there, is too short, or lies outside of the model's folder.",
    ),
    Entry(
        "OPK705",
        "OpenVINO model cannot be read",
        "The file is no IR of OpenVINO (net.xml beside net.bin), is cut off, or has what OpenVINO itself refuses, such as an op "
        "of an extension. A package that is missing is installed with pip install 'opkg[openvino]'.",
    ),
    Entry(
        "OPK706",
        "torch model cannot be read",
        "A model file is a Python file that defines `model()`, which returns a torch.nn.Module, and `inputs()`, which returns a "
        "tuple of tensors. One is missing or raised an exception, torch.export does not take the model, or the process that "
        "exports it died. The place is the line of the file that the exception came from.",
    ),
)
