"""opkg: one YAML spec for an NPU operator, and everything a toolchain needs of it, proved on this machine."""

__version__ = "0.1.0"

SHARED_FOLDER = "generated/opkg/"  # of a project: generated files that any number of its packages need
