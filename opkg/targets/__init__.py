"""The targets room: one folder per toolchain, each turning the model into artifacts without touching the disk."""
