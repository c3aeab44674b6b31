"""The Hexagon machine: kernels compiled for HVX with an open compiler and run in qemu-hexagon."""
