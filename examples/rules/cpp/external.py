"""What the C++ functions of external.cpp do, for `opkg rules apply --external`."""


def fits(context, node, most):
    """Whether the bytes of an op's output are `most` at most."""
    return node.output.elements * 2 <= most
