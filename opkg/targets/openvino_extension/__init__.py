"""The target openvino-extension: an op of OpenVINO outside its tree, in C++ and in Python."""

from opkg.targets.openvino_extension.target import OpenvinoTarget

TARGET = OpenvinoTarget()
