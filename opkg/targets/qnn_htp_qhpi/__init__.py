"""The QHPI target."""

from opkg.targets.qnn_htp_qhpi.target import QhpiTarget

TARGET = QhpiTarget()
