"""What kernels cost on Hexagon: packets counted in qemu, stalls of the executed packets, floors, and the suite."""
