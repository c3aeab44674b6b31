"""The HVX instruction set as data: names, operands and meaning of its C intrinsics."""
