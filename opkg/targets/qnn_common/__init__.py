"""What the two QNN targets share: the kernel API, the op-config validation and the C++ printer of expressions."""
