"""The C++ of kernels."""
