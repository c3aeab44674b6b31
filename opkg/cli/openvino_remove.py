"""`opkg openvino remove`: takes ops out of a source tree of OpenVINO."""

from __future__ import annotations

from opkg.cli.openvino_tree import planned, tree_of
from opkg.cli.tree_remove import remove_command

command = remove_command("opkg openvino apply", tree_of, planned)
