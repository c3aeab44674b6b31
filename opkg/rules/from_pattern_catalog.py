"""Catalog of OPK570 to OPK572: rules that are made from the `pattern:` of an op."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK570",
        "no core op for a torch function",
        "A rule matches core ops. `opkg rules offer` knows core ops for element-wise functions of torch; this one, or "
        "this use of one, is not among them. The fusion in ExecuTorch does not need it.",
        "pattern: torch.cumsum(a + b, 0)",
        "pattern: torch.relu(a + b)",
    ),
    Entry(
        "OPK571",
        "the op asks for what a rule cannot check",
        "The rule must not put the op where it does not work: it asks for the shapes, element types and quantization that "
        "the spec demands. Constraints between fields, several outputs, computed shapes and quantization per channel have no "
        "such condition. Write the rule by hand where you know more.",
        "constraints:\n  - C % 32 == 0",
        "",
    ),
    Entry(
        "OPK572",
        "element types that a rule leaves out",
        "In HTP's graphs plain integers of 8 and 16 bits look like quantized tensors. A rule for them would change "
        "graphs of quantized tensors.",
        "types: {T: [float32, uint8]}",
        "types: {T: [float32, ufixed8]}",
    ),
)
