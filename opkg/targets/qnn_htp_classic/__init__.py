"""The classic target: HTP op packages in the C++ interface (DEF_PACKAGE_OP)."""

from opkg.targets.qnn_htp_classic.target import ClassicTarget

TARGET = ClassicTarget()
