"""Graphs and the simulator of optimization rules: run rules on a graph as the HTP backend would, and record each step."""

from __future__ import annotations

from opkg.rules.sim.attempt import Attempt as Attempt
from opkg.rules.sim.attempt import Verdict as Verdict
from opkg.rules.sim.attempt import apply_once as apply_once
from opkg.rules.sim.attempt import attempt as attempt
from opkg.rules.sim.engine import apply as apply
from opkg.rules.sim.files import read_graph as read_graph
from opkg.rules.sim.files import write_graph as write_graph
from opkg.rules.sim.frame import Settings as Settings
from opkg.rules.sim.json_read import read_json as read_json
from opkg.rules.sim.json_write import write_json as write_json
from opkg.rules.sim.model import Graph as Graph
from opkg.rules.sim.model import Node as Node
from opkg.rules.sim.model import Output as Output
from opkg.rules.sim.run import Run as Run
from opkg.rules.sim.run import Step as Step
from opkg.rules.sim.run import Stopped as Stopped
from opkg.rules.sim.text_read import read_text as read_text
from opkg.rules.sim.text_write import write_text as write_text
